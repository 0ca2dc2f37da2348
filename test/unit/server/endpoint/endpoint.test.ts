import assert from 'node:assert/strict';
import { initialize, rpc } from '../gatewayHarness';
import { eventually } from '../../core/connections/until';
import { open, send } from '../socketFetch';
import { EndpointHarness } from './endpointHarness';

describe('endpoint', () => {
  let harness: EndpointHarness;

  beforeEach(async () => {
    harness = await EndpointHarness.open();
  });

  afterEach(() => harness.dispose());

  const session = async (id: string): Promise<Record<string, string>> => {
    const answer = await harness.post(id, initialize('2025-11-25'));
    return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
  };

  it('knows who asks, in both eras', async () => {
    for (const era of ['session', 'stateless'] as const) {
      const client = await harness.client('codex', era);
      const { content } = await client.callTool({ name: 'who', arguments: { x: 1 } });
      assert.deepEqual(content, [{ type: 'text', text: 'codex {"x":1}' }]);
    }
  });

  it('has a session for its own client alone', async () => {
    const one = await session('one');
    assert.equal((await harness.post('two', rpc('ping'), one)).status, 404);
    assert.equal((await harness.post('one', rpc('ping'), one)).status, 200);
  });

  it('sends a client that comes by GET or DELETE first to POST', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(harness.address, { method, path: '/test', headers: harness.headers('one') });
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST']);
    }
    assert.equal((await harness.post('one', initialize('2025-11-25'))).status, 200);
  });

  it('asks proxies not to hold back its streams', async () => {
    const stream = await open(harness.address, {
      method: 'GET',
      path: '/test',
      headers: { ...harness.headers('one'), ...(await session('one')) },
    });
    assert.equal(stream.headers['x-accel-buffering'], 'no');
    stream.destroy();
  });

  it('is at its whole path alone, with or without a slash and a query', async () => {
    const status = async (path: string): Promise<number> =>
      (await send(harness.address, { path, headers: harness.headers('one'), body: '{}' })).status;
    assert.deepEqual(await Promise.all(['/test', '/test/', '/test?x=1'].map(status)), [400, 400, 400]);
    assert.deepEqual(await Promise.all(['/tests', '/test/x', '/', '/Test'].map(status)), [404, 404, 404, 404]);
  });

  it('refuses a body that is nested too deeply, before it is parsed, and goes on', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const objects = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    for (const body of [
      deep,
      objects,
      '['.repeat(300),
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${objects}}`,
    ]) {
      const answer = await harness.post('one', body);
      assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [400, -32_600]);
    }
    const args = { text: `${'['.repeat(500)}\\"${'{'.repeat(500)}`, list: [[[[1]]]] };
    const answer = await harness.post('one', rpc('tools/call', { name: 'who', arguments: args }), await session('one'));
    assert.deepEqual(JSON.parse(answer.text).result.content[0].text, `one ${JSON.stringify(args)}`);
  });

  it('fault 66: many clients at once, of both eras, get each its own answers', async () => {
    harness.offers.onCall = async ({ id }, args) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return `${id} ${JSON.stringify(args)}`;
    };
    const clients = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const id = `agent-${index}`;
        return { id, client: await harness.client(id, index % 2 === 0 ? 'session' : 'stateless') };
      }),
    );
    const answers = await Promise.all(
      clients.flatMap(({ id, client }) =>
        Array.from({ length: 3 }, async (_, n) => {
          const { content } = await client.callTool({ name: 'who', arguments: { n } });
          const [block] = content;
          return [`${id} {"n":${n}}`, block?.type === 'text' ? block.text : ''];
        }),
      ),
    );
    assert.equal(answers.length, 150);
    assert.deepEqual(
      answers.filter(([expected, got]) => expected !== got),
      [],
    );
  }).timeout(30_000);

  it('ends what a client has open as soon as it is revoked, and no other', async () => {
    let running = 0;
    let aborted = 0;
    harness.offers.onCall = (client, _args, signal) =>
      new Promise((resolve) => {
        running += 1;
        signal.addEventListener('abort', () => {
          aborted += 1;
          resolve('aborted');
        });
        if (client.id === 'other') {
          resolve('other');
        }
      });
    const one = await session('one');
    const stream = await open(harness.address, {
      method: 'GET',
      path: '/test',
      headers: { ...harness.headers('one'), ...one },
    });
    const closed = new Promise((resolve) =>
      stream
        .once('close', resolve)
        .once('error', () => undefined)
        .resume(),
    );
    const call = harness.post('one', rpc('tools/call', { name: 'who' }), one);
    const client = await harness.client('one', 'stateless');
    const stateless = client.callTool({ name: 'who', arguments: {} });
    const ends = [assert.rejects(call), assert.rejects(stateless)];
    await eventually(() => running === 2);
    harness.tokens.revoke('one');
    await Promise.all([...ends, closed]);
    await eventually(() => aborted === 2);
    assert.equal(harness.endpoint.sessionCount, 0);
    assert.equal((await harness.post('one', rpc('ping'), one)).status, 401);
    const other = await session('other');
    assert.equal((await harness.post('other', rpc('tools/call', { name: 'who' }), other)).status, 200);
  });
});
