import assert from 'node:assert/strict';
import type { Disposable } from '../../../../src/base/disposable';
import type { Launch } from '../../../../src/core/config/configTypes';
import type { Connection } from '../../../../src/core/connections/connectionTypes';
import { WantedResources } from '../../../../src/core/connections/wantedResources';
import { connectionTo, fixture, script, stopAll, type TestConnection } from './testConnection';
import { eventually, until, WireTrace } from './until';

const start = { interactive: false } as const;
const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';

describe('resource subscriptions', () => {
  let wire: WireTrace;
  let wanted: WantedResources;
  let updates: string[];
  beforeEach(() => {
    wire = new WireTrace();
    wanted = new WantedResources();
    updates = [];
  });
  afterEach(async () => {
    await stopAll();
    wire.dispose();
  });

  const listening = (launch: Launch): TestConnection => {
    const test = connectionTo(launch, { dependencies: { wanted } });
    test.connection.onDidUpdateResource((uri) => updates.push(uri));
    return test;
  };
  const traced = (...args: string[]): TestConnection =>
    listening({
      ...(fixture('subscriptions.mjs', ...args) as Extract<Launch, { type: 'stdio' }>),
      env: wire.env,
    });
  /** A round trip: what was sent before has arrived, and what it caused has come back. */
  const settled = async (connection: Connection): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await connection.callTool('stray', { uri: 'x://mark' });
    await eventually(() => updates.at(-1) === 'x://mark');
    updates.pop();
  };

  describe('in the session era', () => {
    /** The requests about subscriptions, in the order in which the server got them. */
    const asked = (): string[] =>
      wire.entries
        .filter(({ method }) => method?.startsWith('resources/') && method.endsWith('subscribe'))
        .map(({ method = '', params }) => `${method.slice('resources/'.length)} ${String(params?.['uri'])}`);

    it('asks for nothing while nothing is wanted', async () => {
      const { connection } = traced();
      await connection.start(start);
      await settled(connection);
      assert.deepEqual(asked(), []);
    });

    it('subscribes to each resource once, as it was listed, and unsubscribes with the last who wants it', async () => {
      const odd = 'KB://Docs/A b?q=%7e#é';
      const first = wanted.want(odd);
      const { connection } = traced();
      await connection.start(start);
      const second = wanted.want(odd);
      wanted.want('x://b');
      await settled(connection);
      assert.deepEqual(asked(), [`subscribe ${odd}`, 'subscribe x://b']);
      await connection.callTool('change', { of: odd });
      first.dispose();
      first.dispose();
      await settled(connection);
      assert.deepEqual(updates, [odd]);
      second.dispose();
      await settled(connection);
      assert.deepEqual(asked().slice(2), [`unsubscribe ${odd}`]);
      await connection.callTool('change', { of: odd });
      await settled(connection);
      assert.deepEqual(updates, [odd]);
    });

    it('ends as it is wanted last, however fast that changes', async () => {
      const { connection } = traced();
      await connection.start(start);
      let last: Disposable | undefined;
      for (let index = 0; index < 5; index += 1) {
        last?.dispose();
        await Promise.resolve();
        last = wanted.want('x://a');
        await Promise.resolve();
      }
      await settled(connection);
      assert.deepEqual(asked(), ['subscribe x://a']);
      last?.dispose();
      await settled(connection);
      wanted.want('x://a');
      await settled(connection);
      assert.deepEqual(asked(), ['subscribe x://a', 'unsubscribe x://a', 'subscribe x://a']);
      assert.deepEqual(updates, []);
    });

    it('fault 58: subscribes again exactly once after the server ended, and the resource counts as updated', async () => {
      wanted.want('x://a');
      const gone = wanted.want('x://gone');
      const { connection } = traced();
      await connection.start(start);
      await settled(connection);
      gone.dispose();
      await settled(connection);
      assert.deepEqual(updates, []);
      const before = asked().length;
      await assert.rejects(connection.callTool('exit', {}));
      await until(() => connection.state.value.kind === 'ready');
      await settled(connection);
      assert.equal(wire.pids.length, 2);
      assert.deepEqual(asked().slice(before), ['subscribe x://a']);
      assert.deepEqual(updates, ['x://a']);
      await connection.callTool('change', { of: 'x://a' });
      await settled(connection);
      assert.deepEqual(updates, ['x://a', 'x://a']);
    });

    it('fault 58: subscribes again after a stop and a start', async () => {
      wanted.want('x://a');
      const { connection } = traced();
      await connection.start(start);
      await settled(connection);
      await connection.stop();
      await connection.start(start);
      await settled(connection);
      assert.deepEqual(asked(), ['subscribe x://a', 'subscribe x://a']);
      assert.deepEqual(updates, ['x://a']);
    });

    it('fault 58: a stray update and one of a part of a resource are passed on and do no harm', async () => {
      wanted.want('x://a');
      const { connection } = traced();
      await connection.start(start);
      await connection.callTool('stray', { uri: 'x://never' });
      await settled(connection);
      await connection.callTool('change', { of: 'x://a', uri: 'x://a/part' });
      await settled(connection);
      assert.deepEqual(updates, ['x://never', 'x://a/part']);
      assert.equal(connection.state.value.kind, 'ready');
    });

    it('says once that a server refused, and goes on with the others', async () => {
      const refused = wanted.want('x://refused');
      wanted.want('x://a');
      const { connection, log } = traced();
      await connection.start(start);
      await settled(connection);
      wanted.want('x://b');
      await settled(connection);
      refused.dispose();
      await settled(connection);
      assert.deepEqual(asked(), ['subscribe x://refused', 'subscribe x://a', 'subscribe x://b']);
      assert.equal(log.lines.filter((line) => line.includes('x://refused')).length, 1);
      assert.equal(connection.state.value.kind, 'ready');
      wanted.want('x://refused');
      await settled(connection);
      assert.equal(asked().at(-1), 'subscribe x://refused');
    });

    it('asks nothing of a server that does not declare subscriptions', async () => {
      wanted.want('x://a');
      const { connection } = listening({
        ...(fixture('plain.mjs') as Extract<Launch, { type: 'stdio' }>),
        env: wire.env,
      });
      await connection.start(start);
      await connection.callTool('echo', {});
      assert.deepEqual(asked(), []);
    });

    it('hears of updates from server-everything', async () => {
      const { connection, log } = listening(script(EVERYTHING, 'stdio'));
      await connection.start(start);
      const uri = connection.lists.value.resources.items[0]?.uri ?? assert.fail('no resource');
      wanted.want(uri);
      // It logs before it subscribes, and tells every five seconds.
      await eventually(() => log.lines.some((line) => line.includes('Received Subscribe')));
      await connection.callTool('echo', { message: 'x' });
      await connection.callTool('toggle-subscriber-updates', {});
      await eventually(() => updates.includes(uri));
    });
  });

  describe('in the stateless era', () => {
    /** The filters of the streams that were opened, and `closed` for each that was closed. */
    const streams = (): unknown[] =>
      wire.entries.flatMap((entry) =>
        'closed' in entry
          ? ['closed']
          : entry.method === 'subscriptions/listen'
            ? [(entry.params?.['notifications'] as { resourceSubscriptions?: unknown }).resourceSubscriptions]
            : [],
      );

    it('opens no stream while nothing is wanted', async () => {
      const { connection } = traced('stateless');
      await connection.start(start);
      await settled(connection);
      assert.deepEqual(streams(), []);
    });

    it('opens the stream for what is wanted now before it closes the one before', async () => {
      const first = wanted.want('x://a');
      const { connection } = traced('stateless');
      await connection.start(start);
      await settled(connection);
      wanted.want('KB://A b');
      wanted.want('x://c');
      await eventually(() => streams().length === 3);
      await connection.callTool('change', { of: 'KB://A b', uri: 'KB://A b/part' });
      await connection.callTool('change', { of: 'x://a' });
      await settled(connection);
      first.dispose();
      await eventually(() => streams().length === 5);
      await connection.callTool('change', { of: 'x://a' });
      await settled(connection);
      assert.deepEqual(streams(), [
        ['x://a'],
        ['x://a', 'KB://A b', 'x://c'],
        'closed',
        ['KB://A b', 'x://c'],
        'closed',
      ]);
      assert.deepEqual(updates, ['KB://A b/part', 'x://a']);
    });

    it('closes the stream when nothing is wanted any more', async () => {
      const first = wanted.want('x://a');
      const { connection } = traced('stateless');
      await connection.start(start);
      await settled(connection);
      first.dispose();
      await eventually(() => streams().length === 2);
      assert.deepEqual(streams(), [['x://a'], 'closed']);
    });

    it('fault 58: opens the stream again after the server ended it, and the resource counts as updated', async () => {
      wanted.want('x://a');
      const { connection } = traced('stateless');
      await connection.start(start);
      await settled(connection);
      await connection.callTool('hangUp', {});
      await eventually(() => streams().length === 2);
      await settled(connection);
      assert.deepEqual(streams(), [['x://a'], ['x://a']]);
      assert.deepEqual(updates, ['x://a']);
    });

    it('fault 58: opens the stream again after the server ended, and the resource counts as updated', async () => {
      wanted.want('x://a');
      const { connection } = traced('stateless');
      await connection.start(start);
      await settled(connection);
      await assert.rejects(connection.callTool('exit', {}));
      await until(() => connection.state.value.kind === 'ready');
      await settled(connection);
      assert.deepEqual(streams(), [['x://a'], ['x://a']]);
      assert.deepEqual(updates, ['x://a']);
    });

    it('says once what the server does not tell of, and hears of the rest', async () => {
      wanted.want('x://refused');
      wanted.want('x://a');
      const { connection, log } = traced('stateless');
      await connection.start(start);
      await settled(connection);
      wanted.want('x://b');
      await eventually(() => streams().length === 3);
      await connection.callTool('change', { of: 'x://b' });
      await settled(connection);
      assert.deepEqual(updates, ['x://b']);
      assert.equal(log.lines.filter((line) => line.includes('x://refused')).length, 1);
    });
  });
});
