import assert from 'node:assert/strict';
import { FakeHub, fakeServer, tool } from '../fakeHub';
import { GatewayHarness, initialize, rpc } from '../gatewayHarness';
import { type Answer, send } from '../socketFetch';

const body = (answer: Answer): { id?: unknown; result?: Record<string, unknown>; error?: { code: number } } =>
  JSON.parse(answer.text);

describe('gateway: protocol', () => {
  let harness: GatewayHarness;
  let hub: FakeHub;

  beforeEach(async () => {
    hub = new FakeHub(
      fakeServer('a', { tools: [tool('t')], prompts: [{ name: 'p' }] }),
      fakeServer('b', { tools: [tool('u')] }),
    );
    harness = await GatewayHarness.open(hub.asHub());
  });

  afterEach(() => harness.dispose());

  it('fault 34: names the version asked for where it knows it, else its latest', async () => {
    for (const [asked, expected] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ] as const) {
      const answer = await harness.post('a', initialize(asked));
      assert.equal(body(answer).result?.['protocolVersion'], expected);
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers['mcp-session-id']), /^[\w-]{36}$/);
    }
  });

  it('serves a client like the editor’s: no version header, level before initialized, no stream', async () => {
    const session = await harness.session('a');
    assert.deepEqual(body(await harness.post('a', rpc('logging/setLevel', { level: 'info' }), session)).result, {});
    const notice = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const accepted = await harness.post('a', notice, session);
    assert.deepEqual([accepted.status, accepted.text], [202, '']);
    const prompts = await harness.post('a', rpc('prompts/list'), session);
    assert.deepEqual(body(prompts).result, { prompts: [{ name: 'p' }] });
  });

  it('fault 34: refuses a version header that it does not know', async () => {
    const session = await harness.session('a', '2025-06-18');
    const list = (version: string) =>
      harness.post('a', rpc('tools/list'), { ...session, 'mcp-protocol-version': version });
    assert.equal((await list('2025-06-18')).status, 200);
    assert.equal((await list('1999-01-01')).status, 400);
  });

  it('fault 66: every request is answered with its own id', async () => {
    const session = await harness.session('a');
    for (const id of ['abc', '', 0, -1, 12345]) {
      const answer = body(await harness.post('a', rpc('ping', {}, id), session));
      assert.deepEqual(answer, { jsonrpc: '2.0', id, result: {} });
    }
    for (const method of ['unknown/method', 'tasks/list', 'resources/subscribe', 'server/discover']) {
      const answer = body(await harness.post('a', rpc(method, {}, method), session));
      assert.deepEqual([answer.id, answer.error?.code], [method, -32_601]);
    }
    const templates = await harness.post('a', rpc('resources/templates/list'), session);
    assert.deepEqual(body(templates).result, { resourceTemplates: [] });
    const many = await Promise.all(
      Array.from({ length: 50 }, (_, id) => harness.post('a', rpc('tools/list', {}, id), session)),
    );
    assert.deepEqual(
      many.map((answer) => body(answer).id),
      [...many.keys()],
    );
  });

  it('fault 66: what is malformed is answered as such, and the endpoint lives on', async () => {
    const session = await harness.session('a');
    const code = async (message: unknown): Promise<[number, number | undefined]> => {
      const answer = await harness.post('a', message, session);
      return [answer.status, body(answer).error?.code];
    };
    assert.deepEqual(await code('{"jsonrpc":'), [400, -32_700]);
    assert.deepEqual(await code(''), [400, -32_700]);
    assert.deepEqual(await code(rpc('ping', {}, null)), [400, -32_600]);
    assert.deepEqual(await code(rpc('ping', {}, { b: 1 })), [400, -32_600]);
    assert.deepEqual(await code([]), [400, -32_600]);
    assert.deepEqual(await code([rpc('ping', {}, 1), rpc('ping', {}, 2)]), [400, -32_600]);
    assert.deepEqual(await code('null'), [400, -32_600]);
    assert.deepEqual(await code({ hello: 1 }), [400, -32_600]);
    assert.deepEqual((await code(rpc('tools/call', { nope: 1 })))[1], -32_602);
    assert.equal((await harness.post('a', 'x', { ...session, 'content-type': 'text/plain' })).status, 415);
    assert.equal((await harness.post('a', rpc('ping'), { ...session, accept: 'text/html' })).status, 406);
    assert.deepEqual(body(await harness.post('a', rpc('ping', {}, 9), session)), { jsonrpc: '2.0', id: 9, result: {} });
  });

  it('takes batches where the revision has them', async () => {
    const session = await harness.session('a', '2025-03-26');
    const notice = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const answer = await harness.post('a', [notice, rpc('ping', {}, 'x'), rpc('nope', {}, 2)], session);
    const answers = JSON.parse(answer.text) as { id: unknown }[];
    assert.deepEqual(new Set(answers.map(({ id }) => id)), new Set(['x', 2]));
    assert.equal((await harness.post('a', [notice], session)).status, 202);
    assert.equal((await harness.post('a', [rpc('ping', {}, 1), rpc('ping', {}, 1)], session)).status, 400);
    assert.equal((await harness.post('a', [initialize('2025-03-26')])).status, 400);
  });

  it('needs a session that is its own, and ends it by DELETE', async () => {
    const session = await harness.session('a');
    assert.equal((await harness.post('a', rpc('ping'))).status, 400);
    assert.equal((await harness.post('b', rpc('ping'), session)).status, 404);
    assert.equal((await harness.post('a', rpc('ping'), { 'mcp-session-id': 'gone' })).status, 404);
    assert.equal(harness.gateway.hasSession('a'), true);
    const end = () =>
      send(harness.address, { method: 'DELETE', path: harness.path('a'), headers: { ...harness.headers, ...session } });
    assert.equal((await end()).status, 200);
    assert.equal((await end()).status, 404);
    assert.equal(harness.gateway.hasSession('a'), false);
    const answer = body(await harness.post('a', rpc('ping', {}, 'me'), session));
    assert.deepEqual([answer.id, answer.error?.code], ['me', -32_001]);
  });

  it('keeps a bounded number of sessions, the ones used last', async () => {
    const first = await harness.session('a');
    const second = await harness.session('a');
    for (let count = 0; count < 127; count += 1) {
      await harness.post('a', rpc('ping'), first);
      await harness.session('a');
    }
    assert.equal((await harness.post('a', rpc('ping'), first)).status, 200);
    assert.equal((await harness.post('a', rpc('ping'), second)).status, 404);
  });

  it('has no endpoint for what is not published, and ends one that no longer is', async () => {
    const session = await harness.session('a');
    assert.equal((await harness.post('unknown', initialize('2025-11-25'))).status, 404);
    const [, b] = hub.servers.value;
    assert.ok(b);
    hub.servers.value = [b];
    assert.equal((await harness.post('a', rpc('ping'), session)).status, 404);
    assert.equal(harness.gateway.hasSession('a'), false);
  });

  it('serves the stateless era beside it', async () => {
    hub.onCall = async (_ref, _args, { onProgress }) => {
      onProgress?.({ progress: 1 });
      return { content: [{ type: 'text', text: 'stateless' }] };
    };
    const client = await harness.client('a', 'modern');
    assert.equal(client.getServerVersion()?.name, 'a');
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['t'],
    );
    const seen: unknown[] = [];
    const result = await client.callTool({ name: 't', arguments: { x: 1 } }, { onprogress: (it) => seen.push(it) });
    assert.deepEqual(result.content, [{ type: 'text', text: 'stateless' }]);
    assert.deepEqual(seen, [{ progress: 1 }]);
    assert.deepEqual(hub.calls[0]?.args, { x: 1 });
    assert.equal(harness.gateway.hasSession('a'), false);
    const prompt = await client.getPrompt({ name: 'p' });
    assert.deepEqual(prompt.messages[0]?.content, { type: 'text', text: '["a","p",{}]' });
  });

  it('ends a stateless call when its client goes away', async () => {
    let begun = () => {};
    const running = new Promise<void>((resolve) => (begun = resolve));
    let ended = () => {};
    const aborted = new Promise<void>((resolve) => (ended = resolve));
    hub.onCall = (_ref, _args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          ended();
          reject(new Error('aborted'));
        });
        begun();
      });
    const client = await harness.client('a', 'modern');
    const leave = new AbortController();
    const call = client.callTool({ name: 't', arguments: {} }, { signal: leave.signal });
    await running;
    leave.abort();
    await assert.rejects(call);
    await aborted;
  });
});
