import assert from 'node:assert/strict';
import type { ElicitResult } from '@modelcontextprotocol/client';
import type { Connection, RequestOptions } from '../../../../src/core/connections/connectionTypes';
import { FakeClock } from '../connections/fakeClock';
import { eventually, type WireTrace } from '../connections/until';
import { ElicitationBench, FakeElicitationUi, told } from './elicitationFixtures';

const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const who = { message: 'Who?', requestedSchema: named };
const ada: ElicitResult = { action: 'accept', content: { name: 'Ada' } };

describe('elicitation', () => {
  let ui: FakeElicitationUi;
  let bench: ElicitationBench<FakeElicitationUi>;
  let wire: WireTrace;
  beforeEach(() => {
    ui = new FakeElicitationUi();
    bench = new ElicitationBench(ui);
    ({ wire } = bench);
  });
  afterEach(() => bench.close());

  const connect = (name: string, args?: readonly string[], clock?: FakeClock): Promise<Connection> =>
    bench.connect(name, args, clock);
  const ask = async (connection: Connection, params: unknown, options?: RequestOptions): Promise<unknown> =>
    told(await connection.callTool('ask', { params }, options));
  const question = (index?: number) => ui.question(index);

  for (const era of ['session', 'stateless'] as const) {
    describe(`in the ${era} era`, () => {
      const open = (clock?: FakeClock): Promise<Connection> => connect('asking.mjs', [era], clock);

      it('gives the answer to the server, which server asks and what for to the person', async () => {
        const connection = await open();
        const call = ask(connection, who);
        const { request, answer } = await question();
        assert.equal(request.server.key, 'srv');
        assert.equal(request.message, 'Who?');
        assert.deepEqual(request.schema, named);
        answer(ada);
        assert.deepEqual(await call, ada);
      });

      it('tells a no from a question that was closed', async () => {
        const connection = await open();
        ui.always = { action: 'decline' };
        assert.deepEqual(await ask(connection, who), { action: 'decline' });
        ui.always = { action: 'cancel', content: { name: 'typed, not sent' } };
        assert.deepEqual(await ask(connection, who), { action: 'cancel' });
      });

      it('asks several questions one after another', async () => {
        const connection = await open();
        const call = ask(connection, [who, { ...who, message: 'And who else?' }]);
        (await question(0)).answer(ada);
        const second = await question(1);
        assert.equal(second.request.message, 'And who else?');
        second.answer({ action: 'decline' });
        assert.deepEqual(await call, [ada, { action: 'decline' }]);
      });

      it('withdraws the question of a call that is cancelled', async () => {
        const connection = await open();
        const abort = new AbortController();
        const call = ask(connection, who, { signal: abort.signal });
        const { signal } = await question();
        abort.abort();
        await assert.rejects(call, { code: 'CANCELLED' });
        assert.equal(signal.aborted, true);
      });

      it('withdraws the question of a server that ends, whose call fails with the reason', async () => {
        const connection = await open();
        const call = connection.callTool('die', { params: who });
        const { signal } = await question();
        await assert.rejects(call, { code: 'SERVER_EXITED' });
        assert.equal(signal.aborted, true);
      });

      it('lets no request of the server run out of time while a person is asked', async () => {
        const clock = new FakeClock();
        const connection = await open(clock);
        const call = ask(connection, who, { timeoutMs: 1_000 });
        const other = connection.callTool('hang', {}, { timeoutMs: 2_000 }).catch((cause: unknown) => cause);
        const { answer } = await question();
        await clock.pass(3_600_000);
        answer(ada);
        assert.deepEqual(await call, ada);
        await clock.pass(1_999);
        assert.equal(wire.methods.includes('notifications/cancelled'), false);
        await clock.pass(1);
        assert.match(String(await other), /did not answer tools\/call within 2 s; it was told to stop/);
        await eventually(() => wire.methods.includes('notifications/cancelled'));
      });

      it('refuses a mode that was not declared, and asks nobody', async () => {
        const connection = await open();
        const url = { mode: 'url', message: 'Go there', url: 'https://example.com/', elicitationId: '1' };
        const outcome = await ask(connection, url).catch((cause: unknown) => ({ error: cause }));
        const { code, message } = (outcome as { error: { code: number; message: string } }).error;
        assert.equal(code, -32602);
        assert.match(message, /the mode "url" was not declared/);
        assert.deepEqual(ui.asked, []);
      });

      it('sends no answer that does not fit', async () => {
        const connection = await open();
        ui.always = { action: 'accept', content: { name: 987_654 } };
        const outcome = await ask(connection, who).catch((cause: unknown) => ({ error: cause }));
        const { message } = (outcome as { error: { message: string } }).error;
        assert.match(message, /The answer to "srv" does not fit and was not sent: name must be string/);
        assert.equal(JSON.stringify(wire.entries).includes('987654'), false);
      });

      it('fault 46: asks what the SDK would refuse (formats, names of enums, odd schemas), and checks what can be checked', async () => {
        const connection = await open();
        const odd = {
          message: 'Odd',
          requestedSchema: {
            type: 'object',
            properties: {
              id: { type: 'string', format: 'int32' },
              color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
              count: { type: ['integer', 'null'], minimum: 1 },
              tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
            },
            required: ['color'],
            additionalProperties: false,
          },
        };
        const content = { color: 'g', count: 3, tags: ['a'] };
        ui.always = { action: 'accept', content };
        assert.deepEqual(await ask(connection, odd), { action: 'accept', content });
        const { check } = (await question()).request;
        assert.deepEqual(await check(content), undefined);
        const faults = async (value: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
          ((await check(value))?.faults ?? []).map(({ path }) => path);
        assert.deepEqual(await faults({ color: 'Green' }), ['/color']);
        assert.deepEqual(await faults({ color: 'g', count: 0, tags: [], other: 1 }), ['/other', '/count', '/tags']);
        assert.deepEqual(await faults({ color: 'g', nested: {}, 'a/b': [1] }), ['/nested', '/a~1b']);
      });

      it('asks yes or no where there is no schema', async () => {
        const connection = await open();
        ui.always = { action: 'accept' };
        assert.deepEqual(await ask(connection, { message: 'Sure?' }), { action: 'accept', content: {} });
      });
    });
  }

  it('is declared in both eras as form mode alone', async () => {
    await connect('asking.mjs');
    await connect('asking.mjs', ['stateless']);
    const initialize = wire.entries.find(({ method }) => method === 'initialize');
    assert.deepEqual(initialize?.params?.['capabilities'], { elicitation: { form: {} } });
    const list = wire.entries.filter(({ method }) => method === 'tools/list').at(-1);
    assert.deepEqual(
      (list?.params?.['_meta'] as Record<string, unknown>)['io.modelcontextprotocol/clientCapabilities'],
      { elicitation: { form: {} } },
    );
  });

  it('answers a server of the stateless era on the official SDK, which gets its state back', async () => {
    const connection = await connect('sdkStateless.mjs');
    ui.always = ada;
    assert.deepEqual(told(await connection.callTool('ask', {})), { ...ada, state: 'kept' });
  });

  it('withdraws a question that the server takes back', async () => {
    const connection = await connect('asking.mjs');
    const call = connection.callTool('withdraw', { params: who });
    const { signal } = await question();
    await eventually(() => signal.aborted);
    assert.deepEqual((await call).content, [{ type: 'text', text: 'withdrawn' }]);
  });

  it('withdraws a question whose call is over', async () => {
    const connection = await connect('asking.mjs');
    await connection.callTool('leave', { params: who });
    assert.equal(
      ui.asked.every(({ signal }) => signal.aborted),
      true,
    );
  });

  it('asks nobody for a server that nobody uses, and says so in the log', async () => {
    const connection = await connect('asking.mjs');
    ui.always = ada;
    await connection.callTool('later', { params: who });
    await eventually(() => bench.log.lines.some((line) => line.includes('while nobody used it')));
    assert.deepEqual(ui.asked, []);
    await eventually(() => JSON.stringify(wire.entries).includes('"action":"cancel"'));
  });
});
