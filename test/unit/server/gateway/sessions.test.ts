import assert from 'node:assert/strict';
import { FakeHub, fakeServer, listsOf, tool } from '../fakeHub';
import { GatewayHarness, rpc } from '../gatewayHarness';
import { ManualClock } from '../manualClock';
import { open, send } from '../socketFetch';

const hour = 60 * 60_000;

describe('gateway: sessions over time', () => {
  let harness: GatewayHarness;
  let clock: ManualClock;
  let hub: FakeHub;

  beforeEach(async () => {
    clock = new ManualClock();
    hub = new FakeHub(fakeServer('a', { tools: [tool('t')] }));
    harness = await GatewayHarness.open(hub.asHub(), { clock });
  });

  afterEach(() => harness.dispose());

  it('end when nobody used them for an hour, but not while their client listens', async () => {
    const idle = await harness.session('a');
    const listening = await harness.session('a');
    const stream = await open(harness.address, {
      method: 'GET',
      path: harness.path('a'),
      headers: { ...harness.headers, ...listening },
    });
    clock.pass(3 * hour);
    assert.equal((await harness.post('a', rpc('ping'), idle)).status, 404);
    assert.equal((await harness.post('a', rpc('ping'), listening)).status, 200);
    stream.destroy();
  });

  it('turn a long answer into a stream, so that no client gives up on it', async () => {
    const session = await harness.session('a');
    let begun = () => {};
    const running = new Promise<void>((resolve) => (begun = resolve));
    let finish = () => {};
    hub.onCall = () =>
      new Promise((resolve) => {
        finish = () => resolve({ content: [] });
        begun();
      });
    const call = harness.post('a', rpc('tools/call', { name: 't', arguments: {} }), session);
    await running;
    clock.pass(31_000);
    finish();
    const answer = await call;
    assert.equal(answer.headers['content-type'], 'text/event-stream');
    assert.equal(answer.text.match(/: still here/g)?.length, 2);
    assert.match(answer.text, /"id":7,?.*"result"|"result".*"id":7/);
  });

  it('keeps what changed for a client that opens its stream later, and replaces an older stream', async () => {
    const session = await harness.session('a');
    const server = hub.servers.value[0];
    assert.ok(server);
    server.lists.value = listsOf({ tools: [tool('new')] });
    clock.pass(50);
    const listen = () =>
      open(harness.address, { method: 'GET', path: harness.path('a'), headers: { ...harness.headers, ...session } });
    const first = await listen();
    const [chunk] = (await Promise.all([new Promise<Buffer>((resolve) => first.once('data', resolve))])) as [Buffer];
    assert.match(chunk.toString(), /"method":"notifications\/tools\/list_changed"/);
    const ended = new Promise((resolve) => first.once('end', resolve));
    const second = await listen();
    await ended;
    second.destroy();
    const noStream = await send(harness.address, {
      method: 'GET',
      path: harness.path('a'),
      headers: { ...harness.headers, ...session, accept: 'application/json' },
    });
    assert.equal(noStream.status, 406);
  });
});
