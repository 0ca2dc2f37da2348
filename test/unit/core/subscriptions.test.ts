import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Hub, ResourceUpdate } from '../../../src/core/hubTypes';
import { layer, openTestHub, type TestHub } from '../../harness/testHub';
import { eventually, until, WireTrace } from './connections/until';

const start = { interactive: false } as const;
const caller = { kind: 'cli', label: 'test' } as const;

describe('subscriptions of the hub', () => {
  let wire: WireTrace;
  let opened: TestHub | undefined;
  let updates: ResourceUpdate[];
  beforeEach(() => {
    wire = new WireTrace();
    updates = [];
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
    wire.dispose();
  });

  const entry = (env: object = {}): object => ({
    command: process.execPath,
    args: [resolve('test/fixtures/servers/subscriptions.mjs')],
    env: { ...wire.env, ...env },
  });
  const open = async (servers: Readonly<Record<string, object>>): Promise<TestHub> => {
    opened = await openTestHub(servers);
    opened.hub.onDidUpdateResource((update) => updates.push(update));
    return opened;
  };
  const asked = (): string[] =>
    wire.entries.flatMap(({ method = '', params }) =>
      /^resources\/.*subscribe$/.test(method)
        ? [`${method.slice('resources/'.length)} ${String(params?.['uri'])}`]
        : [],
    );
  const change = (hub: Hub, server: string, of: string): Promise<unknown> =>
    hub.callTool({ server, name: 'change' }, { of }, { caller });

  it('starts nothing, and subscribes once however many want it', async () => {
    const { hub } = await open({ a: entry() });
    const first = hub.subscribe('a', 'x://a');
    const second = hub.subscribe('a', 'x://a');
    assert.equal(hub.server('a')?.status.value.kind, 'stopped');
    await hub.start('a', start);
    await eventually(() => asked().length === 1);
    first.dispose();
    await change(hub, 'a', 'x://a');
    await eventually(() => updates.length === 1);
    assert.deepEqual(updates, [{ server: 'a', uri: 'x://a' }]);
    second.dispose();
    await eventually(() => asked().length === 2);
    assert.deepEqual(asked(), ['subscribe x://a', 'unsubscribe x://a']);
  });

  it('fault 57: the same resource of two servers is subscribed to at the one that was named', async () => {
    const { hub } = await open({ a: entry({ WIRE_TRACE: '' }), b: entry() });
    hub.subscribe('b', 'x://a');
    await Promise.all([hub.start('a', start), hub.start('b', start)]);
    await eventually(() => asked().length === 1);
    await change(hub, 'a', 'x://a');
    await change(hub, 'b', 'x://a');
    await eventually(() => updates.length === 1);
    assert.deepEqual(updates, [{ server: 'b', uri: 'x://a' }]);
  });

  it('fault 58: a subscription outlives a restart and an edit of the entry', async () => {
    const { hub, settings } = await open({ a: entry() });
    hub.subscribe('a', 'x://a');
    await hub.start('a', start);
    await eventually(() => asked().length === 1);
    await hub.restart('a', start);
    await eventually(() => updates.length === 1);

    settings.value = [layer({ a: entry({ OTHER: '1' }) })];
    await eventually(() => wire.pids.length === 3);
    await until(() => hub.server('a')?.status.value.kind === 'ready');
    await eventually(() => updates.length === 2);
    assert.deepEqual(asked(), ['subscribe x://a', 'subscribe x://a', 'subscribe x://a']);

    await change(hub, 'a', 'x://a');
    await eventually(() => updates.length === 3);
    assert.deepEqual(new Set(updates.map(({ server, uri }) => `${server} ${uri}`)), new Set(['a x://a']));
  });

  it('lets go of a subscription after its entry was deleted', async () => {
    const { hub, settings } = await open({ a: entry() });
    const subscription = hub.subscribe('a', 'x://a');
    await hub.start('a', start);
    settings.value = [layer({})];
    subscription.dispose();
    assert.throws(() => hub.subscribe('a', 'x://a'), { code: 'SERVER_UNKNOWN' });
  });
});
