import assert from 'node:assert/strict';
import { PorticoError } from '../../../../src/base/errors';
import { KnownResources } from '../../../../src/vscode/interop/knownResources';
import { OpenResources } from '../../../../src/vscode/documents/openResources';
import { ResourceReader } from '../../../../src/vscode/documents/resourceReader';
import { ResourceUpdates } from '../../../../src/vscode/documents/resourceUpdates';
import { FakeClock } from '../../core/connections/fakeClock';
import { fakeServer, FakeResources } from './fakeResources';

const a = { server: 's', uri: 'x://a' };

describe('open resources', () => {
  let hub: FakeResources;
  let clock: FakeClock;
  let known: KnownResources;
  let reader: ResourceReader;
  let open: OpenResources;
  let updates: ResourceUpdates;
  const server = fakeServer('s');

  beforeEach(() => {
    hub = new FakeResources();
    hub.servers.value = [server.view];
    clock = new FakeClock();
    known = new KnownResources();
    reader = new ResourceReader(hub, known, clock);
    open = new OpenResources(hub, (key) => reader.forget(key));
    updates = new ResourceUpdates(hub, open, reader, known, clock);
  });
  afterEach(() => {
    updates.dispose();
    open.dispose();
    reader.dispose();
    server.status.value = { kind: 'ready' } as never;
  });

  const load = async (text: string): Promise<void> => {
    const read = reader.outcome(a);
    await (await hub.next()).answer(text);
    await read;
  };
  const kept = (): string | undefined => {
    const outcome = reader.kept(a);
    return (
      outcome && (outcome.problem ? outcome.problem.code : Buffer.from(outcome.contents[0]?.bytes ?? []).toString())
    );
  };

  it('are subscribed once while any tab shows any part of them', () => {
    open.show([a, { ...a, part: 1 } as typeof a, { server: 't', uri: 'x://b' }]);
    assert.deepEqual(hub.subscribed, ['s x://a']);
    open.show([a]);
    assert.deepEqual(hub.subscribed, ['s x://a']);
    open.show([]);
    assert.deepEqual(hub.subscribed, []);
  });

  it('are subscribed once their server is configured, and again when its entry came back', () => {
    open.show([{ server: 't', uri: 'x://b' }]);
    assert.deepEqual(hub.subscribed, []);
    hub.servers.value = [server.view, fakeServer('t').view];
    assert.deepEqual(hub.subscribed, ['t x://b']);
    hub.servers.value = [server.view];
    assert.deepEqual(hub.subscribed, []);
    hub.servers.value = [fakeServer('t').view];
    assert.deepEqual(hub.subscribed, ['t x://b']);
    open.dispose();
    assert.deepEqual(hub.subscribed, []);
  });

  it('are forgotten when they are closed', async () => {
    open.show([a]);
    await load('one');
    open.show([]);
    assert.equal(kept(), undefined);
  });

  it('are read again when they change: a storm of updates is one read at a time, and the last one counts', async () => {
    open.show([a]);
    await load('one');
    await clock.pass(5_000);
    for (let count = 0; count < 50; count += 1) {
      await hub.update('s', 'x://a');
    }
    assert.equal(hub.pending.length, 1);
    await (await hub.next()).answer('two');
    assert.equal(hub.pending.length, 0);
    await clock.pass(300);
    await (await hub.next()).answer('three');
    await clock.pass(10_000);
    assert.deepEqual([kept(), hub.asked.length, known.of(a)?.updatedAt], ['three', 3, 5_300]);
  });

  it('were updated only where other contents came, or none any longer', async () => {
    const changed: string[] = [];
    reader.onDidChange(({ uri }) => changed.push(uri));
    open.show([a]);
    await load('one');
    await hub.update('s', 'x://a');
    await (await hub.next()).answer('one');
    assert.deepEqual([changed, known.of(a)?.updatedAt], [[], undefined]);
    await clock.pass(1_000);
    await hub.update('s', 'x://a');
    await (await hub.next()).answer('two');
    assert.deepEqual([changed, known.of(a)?.updatedAt], [['x://a'], 1_000]);
    await clock.pass(1_000);
    await hub.update('s', 'x://a');
    await (await hub.next()).fail(new Error('gone'));
    assert.deepEqual([changed.length, known.of(a)?.updatedAt], [2, 2_000]);
  });

  it('are read after a read under way, which may be older than the change', async () => {
    open.show([a]);
    const first = reader.outcome(a);
    const under = await hub.next();
    await hub.update('s', 'x://a');
    assert.equal(hub.pending.length, 0);
    await under.answer('old');
    await first;
    await (await hub.next()).answer('new');
    assert.equal(kept(), 'new');
  });

  it('take an update of a part of them, and none of a neighbour or another server', async () => {
    open.show([a]);
    await load('one');
    await hub.update('s', 'x://ab');
    await hub.update('t', 'x://a');
    await hub.update('s', 'x://');
    assert.deepEqual([hub.pending.length, known.of(a)?.updatedAt], [0, undefined]);
    await hub.update('s', 'x://a/part#1');
    await (await hub.next()).answer('two');
    assert.equal(kept(), 'two');
  });

  it('are not read for an update before they were ever loaded, nor after they were closed', async () => {
    open.show([a]);
    await hub.update('s', 'x://a');
    assert.equal(hub.pending.length, 0);
    await load('one');
    open.show([]);
    await load('one');
    await hub.update('s', 'x://a');
    // What nobody tells the changes of is not kept.
    assert.deepEqual([hub.pending.length, kept()], [0, undefined]);
  });

  it('that could not be read are read once their server is ready', async () => {
    server.status.value = { kind: 'stopped' };
    open.show([a]);
    const failed = reader.outcome(a);
    await (await hub.next()).fail(new PorticoError('NOT_APPROVED', 'Not approved.'));
    assert.equal((await failed).problem?.code, 'NOT_APPROVED');
    server.status.value = { kind: 'ready' } as never;
    await (await hub.next()).answer('here');
    assert.equal(kept(), 'here');
    server.status.value = { kind: 'stopped' };
    server.status.value = { kind: 'ready' } as never;
    assert.equal(hub.pending.length, 0);
  });
});
