import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Server } from '@modelcontextprotocol/server';
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

  it('opens a session for a request alone', async () => {
    const { id: _id, ...notification } = initialize('2025-11-25') as { id: number };
    const answer = await harness.post('one', notification);
    assert.equal(answer.status, 400);
    assert.match(answer.text, /"code":-32600,"message":"Invalid request: initialize must have an id\."/);
    assert.equal(harness.endpoint.sessionCount, 0);
  });

  it('ends a session for another one of the same client alone, idle ones first', async () => {
    const other = await session('other');
    const busy = await session('one');
    const stream = await open(harness.address, {
      method: 'GET',
      path: '/test',
      headers: { ...harness.headers('one'), ...busy },
    });
    const idle = await session('one');
    for (let count = 2; count <= 100; count += 1) {
      await session('one');
    }
    assert.equal((await harness.post('one', rpc('ping'), idle)).status, 404);
    assert.equal((await harness.post('one', rpc('ping'), busy)).status, 200);
    assert.equal((await harness.post('other', rpc('ping'), other)).status, 200);
    assert.equal(harness.endpoint.sessionCount, 101);
    stream.destroy();
  });

  it('opens no session more for a client whose sessions are all in use, until one of them is not', async () => {
    const listening = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const headers = { ...harness.headers('one'), ...(await session('one')) };
        return open(harness.address, { method: 'GET', path: '/test', headers });
      }),
    );
    const refused = await harness.post('one', initialize('2025-11-25', 7));
    assert.equal(refused.status, 429);
    assert.deepEqual(JSON.parse(refused.text) as { id: unknown; error: unknown }, {
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32_000,
        message: 'There are 100 sessions of this client already, and all are in use. Close one, then try again.',
      },
    });
    assert.equal(harness.endpoint.sessionCount, 100);
    await session('other');
    listening[50]?.destroy();
    let status = 429;
    while (status === 429) {
      ({ status } = await harness.post('one', initialize('2025-11-25')));
    }
    assert.equal(harness.endpoint.sessionCount, 101);
    listening.forEach((stream) => stream.destroy());
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

  describe('where a client reads slowly', () => {
    const large = 'x'.repeat(8_000_000);
    let clock: ManualClock;
    let slow: EndpointHarness;
    beforeEach(async () => {
      clock = new ManualClock();
      slow = await EndpointHarness.open(clock, { waitingBytes: 6_000_000 });
      slow.offers.onCall = async () => large;
    });
    afterEach(() => slow.dispose());

    const begin = async (): Promise<Record<string, string>> => {
      const answer = await slow.post('one', initialize('2025-11-25'));
      return { ...slow.headers('one'), 'mcp-session-id': String(answer.headers['mcp-session-id']) };
    };
    const listen = (headers: Record<string, string>) => open(slow.address, { method: 'GET', path: '/test', headers });

    it('says nothing more after the end of an answer', async () => {
      const headers = await begin();
      const body = JSON.stringify(rpc('tools/call', { name: 'who' }));
      const answer = await open(slow.address, { path: '/test', headers, body });
      clock.pass(31_000);
      const { result } = JSON.parse(await text(answer));
      assert.equal(result.content[0].text.length, large.length);
    });

    it('takes no more of its requests until it has read its answers', async () => {
      const headers = await begin();
      const body = JSON.stringify(rpc('tools/call', { name: 'who' }));
      const answer = await open(slow.address, { path: '/test', headers, body });
      const refused = await slow.post('one', rpc('ping'), headers);
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
      assert.match(refused.text, /Too many answers wait to be read/);
      assert.equal((await slow.post('other', initialize('2025-11-25'))).status, 200);
      await text(answer);
      assert.equal((await slow.post('one', rpc('ping'), headers)).status, 200);
    });

    for (const era of ['session', 'stateless'] as const) {
      it(`gives no more of what it asked for before (${era})`, async () => {
        const waiting: (() => void)[] = [];
        slow.offers.onCall = () => new Promise((resolve) => waiting.push(() => resolve(large)));
        const inSession = era === 'session' ? await begin() : undefined;
        const meta = {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        };
        const stateless = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who' };
        const call = (id: number) =>
          open(slow.address, {
            path: '/test',
            headers: inSession ?? { ...slow.headers('one'), ...stateless },
            body: JSON.stringify(rpc('tools/call', { name: 'who', ...(inSession ? {} : { _meta: meta }) }, id)),
          });
        const first = call(1);
        await eventually(() => waiting.length === 1);
        const second = call(2);
        await eventually(() => waiting.length === 2);
        waiting[0]?.();
        const answer = await first;
        waiting[1]?.();
        const { id, error } = JSON.parse(await text(await second));
        assert.deepEqual([id, error.code], [2, -32_000]);
        assert.equal(JSON.parse(await text(answer)).result.content[0].text.length, large.length);
      });
    }

    it('keeps no more answers of a batch than it keeps of others', async () => {
      slow.offers.onCall = async () => large.slice(0, 4_000_000);
      const opened = await slow.post('one', initialize('2025-03-26'));
      const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']), accept: 'application/json' };
      const batch = [1, 2, 3].map((id) => rpc('tools/call', { name: 'who' }, id));
      const answers: unknown[] = JSON.parse((await slow.post('one', batch, headers)).text);
      assert.deepEqual(
        answers.map((answer) => Object.keys(answer as object).includes('error')),
        [false, false, true],
      );
      assert.match(JSON.stringify(answers[2]), /"id":3.*Too many answers wait to be read/);
      assert.equal((await slow.post('one', rpc('ping'), headers)).status, 200);
    });

    it('gives an answer up of which nothing is taken for two minutes', async () => {
      const headers = await begin();
      const body = JSON.stringify(rpc('tools/call', { name: 'who' }));
      const answer = await open(slow.address, { path: '/test', headers, body });
      clock.pass(110_000);
      assert.equal((await slow.post('one', rpc('ping'), headers)).status, 429);
      clock.pass(30_000);
      await assert.rejects(text(answer), { code: 'ECONNRESET' });
      assert.equal((await slow.post('one', rpc('ping'), headers)).status, 200);
    });

    it('says nothing more on a stream that another one has replaced', async () => {
      let server: Server | undefined;
      slow.offers.onServer = (made) => {
        made.registerCapabilities({ logging: {} });
        server = made;
      };
      const headers = await begin();
      const older = await listen(headers);
      await server?.sendLoggingMessage({ level: 'info', data: large.slice(0, 5_000_000) });
      const newer = await listen(headers);
      clock.pass(16_000);
      assert.match(await text(older), /x\"\}\}\n\n$/);
      newer.destroy();
    });
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

  it('ends all requests of a connection that goes away, those too that wait behind another one', async () => {
    const ended: unknown[] = [];
    let running = 0;
    harness.offers.onCall = (_client, args, signal) =>
      new Promise((resolve) => {
        running += 1;
        signal.addEventListener('abort', () => {
          ended.push(args);
          resolve('');
        });
      });
    const headers = { host: 'localhost', ...harness.headers('one'), ...(await session('one')) };
    const requests = [1, 2, 3].map((n) => {
      const body = JSON.stringify(rpc('tools/call', { name: 'who', arguments: { n } }, n));
      const lines = Object.entries({ ...headers, 'content-length': String(body.length) }).map((pair) =>
        pair.join(': '),
      );
      return `POST /test HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
    });
    const socket = connect(harness.test.path).on('error', () => undefined);
    socket.write(requests.join(''));
    await eventually(() => running === 3);
    socket.destroy();
    await eventually(() => ended.length === 3);
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
