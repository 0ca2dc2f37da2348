import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { effect } from '@preact/signals-core';
import { PorticoError } from '../../../src/base/errors';
import type { Hub, ServerStatus } from '../../../src/core/hubTypes';
import { layer, openTestHub, type TestHub } from '../../harness/testHub';
import { isAlive } from './connections/until';

const memory = resolve('node_modules/@modelcontextprotocol/server-memory/dist/index.js');
const entry = (more: object = {}): object => ({ command: process.execPath, args: [memory], ...more });
const start = { interactive: false } as const;

/** Settles at the first status of that kind. */
function reaches(hub: Hub, id: string, ...kinds: ServerStatus['kind'][]): Promise<ServerStatus> {
  return new Promise((done) => {
    const stop = effect(() => {
      const status = hub.servers.value.find((server) => server.id === id)?.status.value;
      if (status && kinds.includes(status.kind)) {
        queueMicrotask(() => stop());
        done(status);
      }
    });
  });
}

function pidOf(hub: Hub, id: string): number {
  const status = hub.server(id)?.status.peek();
  assert.equal(status?.kind, 'ready');
  assert.notEqual(status.pid, undefined);
  return status.pid ?? 0;
}

describe('Hub', function () {
  this.timeout(60_000);
  let opened: TestHub | undefined;
  const open = async (...args: Parameters<typeof openTestHub>): Promise<TestHub> =>
    (opened = await openTestHub(...args));
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });

  it('fault 26: an entry switched off has no process and no tools to call, and its neighbour goes on', async () => {
    const { hub, settings } = await open({ a: entry(), b: entry({ disabled: true }) });
    assert.equal(hub.server('b')?.status.value.kind, 'off');
    await assert.rejects(hub.start('b', start), (error) => PorticoError.is(error, 'SERVER_OFF'));
    await hub.start('a', start);
    const pid = pidOf(hub, 'a');

    settings.value = [layer({ a: entry(), b: entry() })];
    await hub.start('b', start);
    const second = pidOf(hub, 'b');
    settings.value = [layer({ a: entry(), b: entry({ disabled: true }) })];
    await reaches(hub, 'b', 'off');
    await hub.stop('b');
    assert.equal(isAlive(second), false);
    assert.equal(pidOf(hub, 'a'), pid);
    assert.equal(isAlive(pid), true);
  });

  it('fault 27: an entry that is back starts when the process of before is gone', async () => {
    const stubborn = layer({
      a: { command: process.execPath, args: [resolve('test/fixtures/servers/ignoresEnd.mjs')] },
    });
    const { hub, settings } = await open({});
    settings.value = [stubborn];
    await hub.start('a', start);
    const before = pidOf(hub, 'a');
    settings.value = [];
    settings.value = [stubborn];
    await hub.start('a', start);
    assert.equal(isAlive(before), false);
    assert.notEqual(pidOf(hub, 'a'), before);
  });

  it('fault 27: an edit that changes what runs replaces the process, a moved entry does not, a deleted one ends', async () => {
    const { hub, settings } = await open({ a: entry({ env: { MEMORY_FILE_PATH: '/tmp/one.json' } }) });
    await hub.start('a', start);
    const view = hub.server('a');
    const first = pidOf(hub, 'a');

    settings.value = [
      layer({ other: entry({ disabled: true }), a: entry({ env: { MEMORY_FILE_PATH: '/tmp/one.json' } }) }),
    ];
    assert.equal(pidOf(hub, 'a'), first);

    settings.value = [layer({ a: entry({ env: { MEMORY_FILE_PATH: '/tmp/two.json' } }) })];
    await reaches(hub, 'a', 'stopped', 'starting');
    await reaches(hub, 'a', 'ready');
    const second = pidOf(hub, 'a');
    assert.notEqual(second, first);
    assert.equal(isAlive(first), false);
    assert.equal(hub.server('a'), view);

    settings.value = [layer({})];
    assert.deepEqual(hub.servers.value, []);
    await hub.shutdown();
    assert.equal(isAlive(second), false);
  });

  it('fault 2: one command under two keys gives two servers with tools of their own', async () => {
    const { hub } = await open({ w1: entry(), w2: entry() });
    await Promise.all([hub.start('w1', start), hub.start('w2', start)]);
    assert.notEqual(pidOf(hub, 'w1'), pidOf(hub, 'w2'));
    const names = hub.catalog.tools.value
      .filter(({ ref }) => ref.name === 'read_graph')
      .map(({ exposedName }) => exposedName);
    assert.deepEqual(names.sort(), ['w1_read_graph', 'w2_read_graph']);
  });

  it('knows the tools of the last run without a process, and starts one for a call', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-lists-'));
    const first = await openTestHub({ a: entry() }, { folder });
    await first.hub.start('a', start);
    await first.close();

    const { hub } = await open({ a: entry() }, { folder });
    assert.equal(hub.server('a')?.status.value.kind, 'stopped');
    assert.equal(hub.catalog.toolsOf('a').length, 9);
    assert.equal(hub.server('a')?.lists.value.tools.from, 'cache');
    const caller = { kind: 'cli', label: 'test' } as const;
    const result = await hub.callTool({ server: 'a', name: 'read_graph' }, {}, { caller });
    assert.deepEqual(result.structuredContent, { entities: [], relations: [] });
    assert.equal(hub.callLog.records.value[0]?.outcome, 'ok');
    assert.ok(isAlive(pidOf(hub, 'a')));
    await hub.shutdown();
    rmSync(folder, { recursive: true });
  });

  it('starts an entry of the workspace only after consent, bound to what was shown', async () => {
    const asked: string[][] = [];
    const { hub, settings } = await open(
      {},
      {
        consentUi: {
          ask: async (definitions) => {
            asked.push(
              definitions.map(({ key, launch }) => `${key}: ${launch.type === 'stdio' ? launch.args.join(' ') : ''}`),
            );
            return new Map(definitions.map(({ id }) => [id, 'run' as const]));
          },
        },
      },
    );
    settings.value = [layer({ a: entry() }, 'workspace')];
    assert.deepEqual(hub.server('a')?.status.value, { kind: 'notApproved', refused: false });
    await assert.rejects(hub.start('a', start), (error) => PorticoError.is(error, 'NOT_APPROVED'));
    assert.deepEqual(asked, []);
    await hub.start('a', { interactive: true });
    await hub.restart('a', start);
    assert.deepEqual(asked, [[`a: ${memory}`]]);

    settings.value = [layer({ a: { command: process.execPath, args: [memory, '--changed'] } }, 'workspace')];
    await reaches(hub, 'a', 'notApproved');
    await hub.start('a', { interactive: true });
    assert.deepEqual(asked, [[`a: ${memory}`], [`a: ${memory} --changed`]]);
  });

  it('an unknown server is named in the error', async () => {
    const { hub } = await open({});
    const caller = { kind: 'cli', label: 'test' } as const;
    await assert.rejects(
      hub.start('nope', start),
      (error) => PorticoError.is(error, 'SERVER_UNKNOWN') && error.message.includes('nope'),
    );
    await assert.rejects(hub.callTool({ server: 'nope', name: 'x' }, {}, { caller }), (error) =>
      PorticoError.is(error, 'SERVER_UNKNOWN'),
    );
  });
});
