import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/base/clock';
import { PorticoError } from '../../../../src/base/errors';
import {
  type ConnectionState,
  type ListKind,
  type ServerLists,
} from '../../../../src/core/connections/connectionTypes';
import { readLists } from '../../../../src/core/connections/lists';
import { readPages } from '../../../../src/core/connections/pagination';
import type { Session } from '../../../../src/core/connections/sessionTypes';
import { connectionTo, fixture, stopAll, type TestConnection } from './testConnection';
import { eventually, until, WireTrace } from './until';

const EMPTY = { from: 'server', items: [], setAside: [] } as const;
const NO_LISTS: ServerLists = { tools: EMPTY, resources: EMPTY, templates: EMPTY, prompts: EMPTY };
const start = { interactive: false } as const;
const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });

describe('pages of lists', () => {
  let wire: WireTrace;
  beforeEach(() => {
    wire = new WireTrace();
  });
  afterEach(async () => {
    await stopAll();
    wire.dispose();
  });

  const scripted = (script: object, clock = systemClock): TestConnection => {
    const launch = fixture('scripted.mjs', JSON.stringify(script));
    assert.equal(launch.type, 'stdio');
    return connectionTo({ ...launch, env: wire.env }, { dependencies: { clock } });
  };
  const cursors = (method: string): unknown[] =>
    wire.entries.filter((entry) => entry.method === method).map(({ params }) => params?.['cursor']);

  const LISTS: readonly (readonly [ListKind, string, string, (name: string) => object])[] = [
    ['tools', 'tools/list', 'tools', tool],
    ['prompts', 'prompts/list', 'prompts', (name) => ({ name })],
    ['resources', 'resources/list', 'resources', (name) => ({ name, uri: `x://${name}` })],
    [
      'templates',
      'resources/templates/list',
      'resourceTemplates',
      (name) => ({ name, uriTemplate: `x://${name}/{a}` }),
    ],
  ];
  const session = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'f', version: '1' },
  };
  for (const [kind, method, field, entry] of LISTS) {
    const pages = [
      { [field]: [entry('a')], nextCursor: 'opaque \u2028' },
      { [field]: [], nextCursor: 'more' },
      { [field]: [entry('b')], nextCursor: '' },
      { [field]: [entry('c')], nextCursor: null },
    ];
    const names = ({ connection }: TestConnection): string[] =>
      connection.lists.value[kind].items.map(({ name }) => name);

    it(`${method}: an empty cursor is the end in the session era`, async () => {
      const test = scripted({ initialize: [session], [method]: pages });
      await test.connection.start(start);
      assert.deepEqual(names(test), ['a', 'b']);
      assert.equal(test.connection.lists.value[kind].problem, undefined);
      assert.deepEqual(cursors(method), [undefined, 'opaque \u2028', 'more']);
    });

    it(`${method}: an empty cursor is one like any other in the stateless era, null is the end`, async () => {
      const test = scripted({ [method]: pages.map((page) => ({ resultType: 'complete', ...page })) });
      await test.connection.start(start);
      assert.deepEqual(names(test), ['a', 'b', 'c']);
      assert.equal(test.connection.lists.value[kind].problem, undefined);
      assert.deepEqual(cursors(method), [undefined, 'opaque \u2028', 'more', '']);
    });
  }

  it('an empty cursor that comes again stops', async () => {
    const page = { resultType: 'complete', tools: [tool('a')], nextCursor: '' };
    const { connection } = scripted({ 'tools/list': [page] });
    await connection.start(start);
    assert.equal(connection.lists.value.tools.problem?.code, 'LIST_REPEATS');
    assert.equal(connection.lists.value.tools.items.length, 1);
  });

  it('what a server says of its failure is kept as plain text, as far as it is shown', async () => {
    const fail = async (): Promise<never> => {
      throw new PorticoError('CONNECT_FAILED', `\u001b[31mno${'o'.repeat(100_000)}`);
    };
    const { problem } = await readPages('list', fail, { emptyIsCursor: true });
    assert.deepEqual(problem, { code: 'CONNECT_FAILED', message: `n${'o'.repeat(999)}…` });
  });

  it('a cursor that is too long to be kept stops, and so does a long one that comes again', async () => {
    const read = (nextCursor: (page: number) => string): ReturnType<typeof readPages> => {
      let page = 0;
      return readPages('list', async () => ({ list: [page], nextCursor: nextCursor((page += 1)) }), {
        emptyIsCursor: true,
      });
    };
    const tooLong = await read((page) => 'x'.repeat(page < 3 ? 65_536 - page : 65_537));
    assert.deepEqual(tooLong.entries, [0, 1, 2]);
    assert.deepEqual(tooLong.problem, {
      code: 'LIST_INVALID',
      message: 'The list is not whole: the server gave a cursor of 65537 characters. 3 entries were kept.',
    });
    const again = await read((page) => 'x'.repeat(page < 4 ? 60_000 + page : 60_002));
    assert.deepEqual(again.entries, [0, 1, 2, 3]);
    assert.equal(again.problem?.code, 'LIST_REPEATS');
    const surrogates = await read((page) => (page < 3 ? String.fromCharCode(0xd800 + page) : 'x'.repeat(65_537)));
    assert.equal(surrogates.problem?.code, 'LIST_INVALID');
  });

  it('a list whose time is over says how long it had, and keeps what came', async () => {
    let now = 0;
    const clock = { ...systemClock, now: () => now };
    const times: unknown[] = [];
    const list = async (answer: (page: number) => unknown): Promise<ServerLists['tools'] | undefined> => {
      [now, times.length] = [0, 0];
      const request = async (_method: string, _params: object, { timeoutMs }: { timeoutMs: number }) => {
        times.push(timeoutMs);
        now += 2_500;
        return answer(times.length);
      };
      const session = {
        info: { era: 'session', capabilities: { tools: {} } },
        mirrorsParameters: false,
        request,
      } as unknown as Session;
      return (await readLists(session, ['tools'], NO_LISTS, { clock, withinMs: 7_000 })).tools;
    };
    const page = (count: number): object => ({ tools: [tool(`t${count}`)], nextCursor: `c${count}` });
    const over = await list(page);
    assert.deepEqual(times, [7_000, 4_500, 2_000]);
    assert.deepEqual(
      over?.items.map(({ name }) => name),
      ['t1', 't2', 't3'],
    );
    const problem = {
      code: 'TIMEOUT',
      message: 'The list is not whole: the server had not come to its end after 7 s. What came until then was kept.',
    };
    assert.deepEqual(over?.problem, problem);
    const failing = (at: number, error: Error) => (count: number) => {
      if (count === at) {
        throw error;
      }
      return page(count);
    };
    const timeout = new PorticoError('TIMEOUT', '"srv" did not answer tools/list within 2 s.');
    assert.deepEqual((await list(failing(3, timeout)))?.problem, problem);
    assert.deepEqual((await list(failing(1, timeout)))?.problem, { code: 'TIMEOUT', message: timeout.message });
    const other = new PorticoError('CONNECTION_LOST', 'gone');
    assert.deepEqual((await list(failing(2, other)))?.problem, { code: 'CONNECTION_LOST', message: 'gone' });
  });

  it('are fresh together as long as the page that is for the shortest time', async () => {
    const read = async (...ttls: unknown[]): Promise<number> => {
      const left = [...ttls];
      const fetchPage = async (): Promise<unknown> => {
        const ttlMs = left.shift();
        return { list: [], ttlMs, ...(left.length > 0 ? { nextCursor: `${left.length}` } : {}) };
      };
      return (await readPages('list', fetchPage, { emptyIsCursor: true })).ttlMs;
    };
    assert.equal(await read(300, 200, 500), 200);
    assert.equal(await read(300), 300);
    assert.equal(await read(300, undefined), 0);
    assert.equal(await read(-5), 0);
    assert.equal(await read('300'), 0);
  });

  it('a list is listed anew when it is used after its time, not before, and not for being stale', async () => {
    let now = 1_000;
    const clock = { ...systemClock, now: () => now };
    const listed = (name: string, ttlMs: number): object => ({ resultType: 'complete', tools: [tool(name)], ttlMs });
    const { connection } = scripted({ 'tools/list': [listed('a', 5_000), listed('b', 5_000), listed('c', 0)] }, clock);
    const state = (): ConnectionState['kind'] => connection.state.value.kind;
    connection.freshen();
    assert.equal(state(), 'stopped');
    await connection.start(start);
    now += 4_999;
    connection.freshen();
    now += 1;
    connection.freshen();
    connection.freshen();
    await until(() => connection.lists.value.tools.items[0]?.name === 'b');
    assert.equal(cursors('tools/list').length, 2);
    now += 5_000;
    connection.freshen();
    await until(() => connection.lists.value.tools.items[0]?.name === 'c');
    now += 100_000;
    connection.freshen();
    await connection.callTool('c', {}).catch(() => undefined);
    assert.equal(cursors('tools/list').length, 3);
    assert.equal(cursors('resources/list').length, 1);
  });

  for (const [method, field, ask] of [
    ['resources/read', 'contents', ({ connection }: TestConnection) => connection.readResource('x://y')],
    ['prompts/get', 'messages', ({ connection }: TestConnection) => connection.getPrompt('p', {})],
    [
      'completion/complete',
      'completion.values',
      ({ connection }: TestConnection) =>
        connection.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined),
    ],
  ] as const) {
    it(`${method}: an answer without its list is refused by name`, async () => {
      const [odd, list] = [{ resultType: 'complete', [field]: 'none' }, field.split('.')[0] ?? ''];
      const test = scripted({ [method]: [odd, { resultType: 'complete' }, { resultType: 'complete', [list]: {} }] });
      for (let count = 0; count < 3; count += 1) {
        await assert.rejects(ask(test), {
          code: 'REPLY_INVALID',
          message: `"srv" answered ${method} without "${field}". Only the server's author can correct it.`,
        });
      }
      assert.equal(test.connection.state.value.kind, 'ready');
    });
  }

  it('progress makes a request last longer, and what is no progress harms nothing', async () => {
    const progress = (params: object): object => ({ method: 'notifications/progress', params });
    const { connection } = scripted({
      notify: [
        progress({ progressToken: '$token', progress: 5, total: 0 }),
        progress({ progressToken: '$token', progress: 2, message: 7, total: 'many' }),
        progress({ progressToken: '$token', progress: 'half' }),
        progress({ progressToken: '$token' }),
        progress({ progressToken: 'other', progress: 1 }),
        { method: 'notifications/progress' },
      ],
      'tools/call': [{ resultType: 'complete', content: [] }],
    });
    const seen: unknown[] = [];
    await connection.callTool('run', {}, { onProgress: (update) => seen.push(update) });
    assert.deepEqual(seen, [{ progress: 5, total: 0 }, { progress: 2 }]);
    await eventually(() => connection.state.value.kind === 'ready');
  });
});
