import assert from 'node:assert/strict';
import { initialize, rpc } from '../gatewayHarness';
import { eventually } from '../../core/connections/until';
import { ManualClock } from '../manualClock';
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

  it('turns a long answer of the stateless era into a stream too', async () => {
    const clock = new ManualClock();
    const slow = await EndpointHarness.open(clock);
    let begun = () => {};
    const running = new Promise<void>((resolve) => (begun = resolve));
    let finish = () => {};
    slow.offers.onCall = () =>
      new Promise((resolve) => {
        finish = () => resolve('late');
        begun();
      });
    const client = await slow.client('one', 'stateless');
    const call = client.callTool({ name: 'who', arguments: {} });
    await running;
    clock.pass(31_000);
    finish();
    assert.deepEqual((await call).content, [{ type: 'text', text: 'late' }]);
    slow.dispose();
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
    // Those that ask first are answered last.
    let waiting: (() => void)[] = [];
    harness.offers.onCall = async ({ id }, args) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return `${id} ${JSON.stringify(args)}`;
    };
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const stateless = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who' };
    const answers = Array.from({ length: 50 }, async (_, index) => {
      const id = `agent-${index}`;
      const headers = index % 2 === 0 ? await session(id) : stateless;
      const meta = index % 2 === 0 ? {} : { _meta: envelope };
      return Promise.all(
        [0, 1, 2].map(async (n) => {
          const call = rpc('tools/call', { name: 'who', arguments: { n }, ...meta }, n);
          const answer = JSON.parse((await harness.post(id, call, headers)).text);
          return [
            [n, `${id} {"n":${n}}`],
            [answer.id, answer.result.content[0].text],
          ];
        }),
      );
    });
    await eventually(() => waiting.length === 150);
    waiting.reverse().forEach((answer) => answer());
    waiting = [];
    const all = (await Promise.all(answers)).flat();
    assert.deepEqual(
      all.map(([, got]) => got),
      all.map(([expected]) => expected),
    );
  });

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
