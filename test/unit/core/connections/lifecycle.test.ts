import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { PorticoError } from '../../../../src/base/errors';
import type { ConnectionState } from '../../../../src/core/connections/connectionTypes';
import { connectionTo, type TestConnection, tracedConnections } from './testConnection';
import { eventually, isAlive, until } from './until';
import { effect } from '@preact/signals-core';

const start = { interactive: false } as const;

describe('the life of a server', () => {
  const { wire, traced } = tracedConnections();

  function statesOf({ connection }: TestConnection): ConnectionState[] {
    const states: ConnectionState[] = [];
    effect(() => {
      states.push(connection.state.value);
    });
    return states;
  }

  it('goes through its stages', async () => {
    const server = traced('plain.mjs');
    const states = statesOf(server);
    await server.connection.start(start);
    await server.connection.stop();
    assert.deepEqual(
      states.map((state) => (state.kind === 'starting' ? state.stage : state.kind)),
      ['stopped', 'queued', 'resolving', 'launching', 'connecting', 'ready', 'stopped'],
    );
  });

  it('shares one start and starts by itself for a call', async () => {
    const { connection } = traced('plain.mjs');
    await Promise.all([connection.start(start), connection.start(start), connection.callTool('echo', { a: 1 })]);
    assert.equal(wire.pids.length, 1);
    await connection.stop();
    const result = await connection.callTool('echo', { a: 2 });
    assert.deepEqual(result.content, [{ type: 'text', text: '{"a":2}' }]);
    assert.equal(wire.pids.length, 2);
  });

  it('fault 27: stop closes stdin and settles when the process is gone', async () => {
    const { connection } = traced('plain.mjs');
    await connection.start(start);
    await connection.stop();
    assert.equal(connection.state.value.kind, 'stopped');
    assert.deepEqual(wire.pids.map(isAlive), [false]);
    await connection.start(start);
    assert.deepEqual(wire.pids.map(isAlive), [false, true]);
  });

  it('fault 27: stop ends the whole tree, stubborn children included', async () => {
    const { connection } = traced('leavesChildren.mjs');
    await connection.start(start);
    const { content } = await connection.callTool('pids', {});
    const pids = JSON.parse(content[0]?.type === 'text' ? content[0].text : '[]') as number[];
    assert.deepEqual(pids.map(isAlive), [true, true]);
    await connection.stop();
    assert.deepEqual(pids.map(isAlive), [false, false]);
  });

  it('fault 27: stop ends a stubborn child that has left the process group', async () => {
    const { connection } = traced('leavesDetached.mjs');
    await connection.start(start);
    const { content } = await connection.callTool('pids', {});
    const pids = JSON.parse(content[0]?.type === 'text' ? content[0].text : '[]') as number[];
    assert.deepEqual(pids.map(isAlive), [true, true]);
    await connection.stop();
    await eventually(() => !pids.some(isAlive));
  });

  it('stop during a start cancels it', async () => {
    const { connection } = traced('mute.mjs');
    const starting = connection.start(start);
    await eventually(() => wire.pids.length === 1);
    const [outcome] = await Promise.allSettled([starting, connection.stop()]);
    assert.equal(outcome.status === 'rejected' && PorticoError.is(outcome.reason, 'CANCELLED'), true);
    assert.equal(connection.state.value.kind, 'stopped');
    assert.deepEqual(wire.pids.map(isAlive), [false]);
  });

  it('fault 26: what the gate refuses never gets a process', async () => {
    const gate = {
      allow: async () => {
        throw new PorticoError('SERVER_OFF', 'srv is turned off.');
      },
    };
    const { connection } = traced('plain.mjs', [], { dependencies: { gate } });
    await assert.rejects(connection.start(start), { code: 'SERVER_OFF' });
    await assert.rejects(connection.callTool('echo', {}), { code: 'SERVER_OFF' });
    assert.equal(connection.state.value.kind, 'stopped');
    assert.deepEqual(wire.pids, []);
  });

  it('bounds the whole start and says what was waited for', async () => {
    const { connection } = traced('mute.mjs', [], { limits: { startMs: 700 }, tuning: { lateMs: 100 } });
    await assert.rejects(connection.start(start), {
      code: 'START_TIMEOUT',
      message:
        '"srv" was not ready within 0.7 s: it did not answer the handshake. See its log, or raise portico.advanced.startTimeout.',
    });
    const state = connection.state.value;
    assert.equal(state.kind === 'failed' && state.detail.includes('waiting for the license server'), true);
    await eventually(() => !wire.pids.some(isAlive));
  });

  it('is ready without a list that never comes', async () => {
    const { connection } = traced('mute.mjs', ['half'], { limits: { startMs: 2_000, requestMs: 300 } });
    await connection.start(start);
    assert.equal(connection.state.value.kind, 'ready');
    assert.equal(connection.lists.value.tools.problem?.code, 'TIMEOUT');
  });

  it('restarts a server that ended, and gives up after too many ends with what it said last', async () => {
    const { connection } = traced('exitDuringCall.mjs');
    await connection.start(start);
    for (let crash = 1; crash <= 3; crash += 1) {
      await assert.rejects(connection.callTool('echo', {}), { code: 'SERVER_EXITED' });
      const state = connection.state.value;
      assert.equal(state.kind === 'reconnecting' && `${state.attempt} of ${state.of}`, `${crash} of 3`);
      await until(() => connection.state.value.kind === 'ready');
    }
    await assert.rejects(connection.callTool('echo', {}), { code: 'SERVER_EXITED' });
    const state = connection.state.value;
    assert.match(
      state.kind === 'failed' ? state.problem.message : '',
      /went down 4 times within 3 minutes.*exited with code 7: no more memory/,
    );
  });

  it('lets a call wait while it reconnects', async () => {
    const { connection } = traced('plain.mjs');
    await connection.start(start);
    process.kill(wire.pids[0] ?? 0, 'SIGKILL');
    await until(() => connection.state.value.kind === 'reconnecting');
    const result = await connection.callTool('echo', { again: true });
    assert.deepEqual(result.content, [{ type: 'text', text: '{"again":true}' }]);
  });

  it('a late success still counts', async () => {
    const { connection } = traced('slowStart.mjs', [wire.path('go')], { limits: { startMs: 400 } });
    await assert.rejects(connection.start(start), { code: 'START_TIMEOUT' });
    assert.equal(connection.state.value.kind, 'failed');
    writeFileSync(wire.path('go'), '');
    await until(() => connection.state.value.kind === 'ready');
    assert.deepEqual(
      connection.lists.value.tools.items.map(({ name }) => name),
      ['echo'],
    );
    assert.equal(wire.pids.length, 1);
    await connection.stop();
    assert.deepEqual(wire.pids.map(isAlive), [false]);
  });

  it('a call waits for the process that is late, and a start by hand begins anew', async () => {
    const { connection } = traced('slowStart.mjs', [wire.path('go')], { limits: { startMs: 400 } });
    await assert.rejects(connection.start(start), { code: 'START_TIMEOUT' });
    await assert.rejects(connection.callTool('echo', {}), { code: 'START_TIMEOUT' });
    await eventually(() => wire.pids.length === 1);
    await assert.rejects(connection.start({ interactive: true }), { code: 'START_TIMEOUT' });
    await eventually(() => wire.pids.length === 2);
    assert.equal(isAlive(wire.pids[0] ?? 0), false);
  });

  it('stopping ends a process that is late', async () => {
    const { connection } = traced('mute.mjs', [], { limits: { startMs: 500 } });
    await assert.rejects(connection.start(start), { code: 'START_TIMEOUT' });
    await eventually(() => wire.pids.length === 1);
    assert.deepEqual(wire.pids.map(isAlive), [true]);
    await connection.stop();
    assert.deepEqual(wire.pids.map(isAlive), [false]);
  });

  it('a manual server starts by hand alone', async () => {
    const { connection } = traced('plain.mjs', [], { limits: { start: 'manual' } });
    await assert.rejects(connection.callTool('echo', {}), { code: 'SERVER_OFF' });
    assert.deepEqual(wire.pids, []);
    await connection.start(start);
    assert.equal((await connection.callTool('echo', {})).isError, undefined);
  });

  it('stops a server that nothing uses, and starts it again for a call', async () => {
    const { connection } = traced('plain.mjs', [], { limits: { idleMs: 300 } });
    await connection.start(start);
    const held = connection.hold();
    await connection.callTool('echo', {});
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(connection.state.value.kind, 'ready');
    held.dispose();
    await until(() => connection.state.value.kind === 'stopped');
    assert.deepEqual(wire.pids.map(isAlive), [false]);
    assert.equal(connection.lists.value.tools.items.length, 1);
    const result = await connection.callTool('echo', { again: 1 });
    assert.deepEqual(result.content, [{ type: 'text', text: '{"again":1}' }]);
  });

  it('a package runner that never ran here gets longer, and says why', async () => {
    const launch = { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: {} } as const;
    const resolve = async () => ({
      type: 'stdio' as const,
      command: process.execPath,
      args: ['test/fixtures/servers/slowStart.mjs', wire.path('go')],
      env: { ...process.env, ...wire.env } as Record<string, string>,
      cwd: undefined,
    });
    const server = connectionTo(launch, { limits: { startMs: 1_500 }, dependencies: { resolve } });
    const states = statesOf(server);
    const started = server.connection.start(start);
    await new Promise((resolve) => setTimeout(resolve, 1_800));
    writeFileSync(wire.path('go'), '');
    await started;
    assert.deepEqual(
      states.map((state) => (state.kind === 'starting' ? state.stage : state.kind)),
      ['stopped', 'queued', 'resolving', 'launching', 'installing', 'ready'],
    );
    await server.connection.stop();
    rmSync(wire.path('go'));
    await assert.rejects(server.connection.start(start), { code: 'START_TIMEOUT', message: /within 1\.5 s/ });
  });

  it('offers an interactive start where one that must not ask has failed', async () => {
    let asked = 0;
    const gate = {
      allow: async (_: unknown, options: { interactive: boolean }) => {
        asked += 1;
        await new Promise(setImmediate);
        if (!options.interactive) {
          throw new PorticoError('NOT_APPROVED', 'srv is not approved.');
        }
      },
    };
    const { connection } = traced('plain.mjs', [], { dependencies: { gate } });
    const background = connection.start(start);
    const byHand = connection.start({ interactive: true });
    await assert.rejects(background, { code: 'NOT_APPROVED' });
    await byHand;
    assert.equal(asked, 2);
    assert.equal(connection.state.value.kind, 'ready');
  });

  it('shows cached lists before the first start and writes them after it', async () => {
    const first = traced('plain.mjs');
    await first.connection.start(start);
    await first.connection.stop();
    const second = traced('plain.mjs', [], { dependencies: { cache: first.cache } });
    await second.connection.loaded;
    assert.equal(second.connection.lists.value.tools.from, 'cache');
    assert.deepEqual(
      second.connection.lists.value.tools.items.map(({ name }) => name),
      ['echo'],
    );
    assert.equal(second.connection.lastInfo.value?.serverInfo.name, 'fixture');
    assert.equal(wire.pids.length, 1);
  });

  it('a server that lists the same again leaves lists and cache as they are', async () => {
    const { connection, cache } = traced('plain.mjs');
    let written = 0;
    cache.write = async () => void (written += 1);
    await connection.start(start);
    const before = connection.lists.value;
    await connection.refresh(start);
    assert.equal(connection.lists.value, before);
    await connection.stop();
    assert.equal(written, 1);

    await connection.start(start);
    assert.equal(connection.lists.value.tools, before.tools);
    await connection.stop();
    assert.equal(written, 2);
  });
});
