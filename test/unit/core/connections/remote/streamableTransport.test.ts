import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PorticoError } from '../../../../../src/base/errors';
import { type Clock, systemClock } from '../../../../../src/base/clock';
import { type Disposable, toDisposable } from '../../../../../src/base/disposable';
import { Emitter } from '../../../../../src/base/emitter';
import { toRemoteError } from '../../../../../src/core/connections/remote/remoteErrors';
import { connect, type Opened, open } from './client';
import { answerTo, type Handler, HttpFixture, json, plain } from './httpFixture';

const UNICODE = '→é🎉漢';

describe('StreamableTransport', () => {
  let fixture: HttpFixture | undefined;
  let opened: Opened | undefined;

  const serve = async (handler: Handler): Promise<string> => {
    fixture = await HttpFixture.start(handler);
    return `${fixture.origin}/mcp`;
  };
  const using = async (next: Promise<Opened>): Promise<Opened> => (opened = await next);

  afterEach(async () => {
    await opened?.transport.close();
    await fixture?.stop();
    opened = undefined;
    fixture = undefined;
  });

  it('sends the configured headers with every request and ends the session by DELETE', async () => {
    const url = await serve((seen, response, request) => {
      if (seen.message.method === 'initialize') {
        json(response, answerTo(seen), { 'mcp-session-id': 's1' });
      } else if (seen.method === 'DELETE') {
        response.writeHead(405).end();
      } else {
        plain(seen, response, request);
      }
    });
    const { client, transport } = await using(connect(url, { headers: { 'X-Key': 'k', authorization: 'Bearer t' } }));
    await client.listTools();
    await transport.terminate();
    const seen = fixture!.seen;
    assert.deepEqual(
      [...new Set(seen.map((one) => `${one.headers['x-key']} ${one.headers.authorization}`))],
      ['k Bearer t'],
    );
    assert.deepEqual(seen.at(-1)?.method, 'DELETE');
    assert.equal(seen.at(-1)?.headers['mcp-session-id'], 's1');
    assert.equal(
      seen.some((one) => 'portico-kind' in one.headers),
      false,
    );
  });

  it('does not wait for ever for a server that never answers the DELETE', async () => {
    const url = await serve((seen, response, request) => {
      if (seen.message.method === 'initialize') {
        json(response, answerTo(seen), { 'mcp-session-id': 's1' });
      } else if (seen.method !== 'DELETE') {
        plain(seen, response, request);
      }
    });
    const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 100, run) };
    const { transport } = await using(connect(url, { clock }));
    await transport.terminate();
    assert.equal(fixture!.requests('DELETE').length, 1);
  });

  it('fault 18: characters cut at chunk borders stay whole, in JSON and in an event stream', async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      const url = await serve((seen, response, request) => {
        if (seen.message.method !== 'tools/list') {
          plain(seen, response, request);
          return;
        }
        const tool = { name: 'echo', description: UNICODE, inputSchema: { type: 'object' } };
        const text = JSON.stringify({ jsonrpc: '2.0', id: seen.message.id, result: { tools: [tool] } });
        response.writeHead(200, { 'content-type': type });
        void writeByteByByte(response, type === 'application/json' ? text : `data: ${text}\n\n`);
      });
      const { client, transport } = await using(connect(url));
      assert.equal((await client.listTools()).tools[0]?.description, UNICODE);
      await transport.close();
      await fixture!.stop();
    }
  });

  for (const status of [404, 406, 400, 500]) {
    it(`fault 29: a listening stream refused with ${status} is no error and no lost session`, async () => {
      const url = await serve((seen, response, request) => {
        if (seen.message.method === 'initialize') {
          json(response, answerTo(seen), { 'mcp-session-id': 's1' });
        } else if (seen.method === 'GET') {
          response.writeHead(status, { 'content-type': 'text/plain' }).end('no');
        } else {
          plain(seen, response, request);
        }
      });
      const { client, errors } = await using(connect(url));
      await until(() => fixture!.requests('GET').length === 1);
      assert.equal((await client.listTools()).tools.length, 1);
      assert.deepEqual(errors, []);
      assert.equal(fixture!.messages('initialize').length, 1);
      assert.equal(fixture!.requests('GET').length, 1);
    });
  }

  it('fault 29: a listening stream answered with a web page is no stream', async () => {
    const url = await serve((seen, response, request) => {
      if (seen.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      } else {
        plain(seen, response, request);
      }
    });
    const { client, errors } = await using(connect(url));
    await until(() => fixture!.requests('GET').length === 1);
    assert.equal((await client.listTools()).tools.length, 1);
    assert.deepEqual(errors, []);
  });

  it('a `retry` that no timer can hold is bounded', async () => {
    const url = await serve((seen, response, request) => {
      if (seen.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 99999999999999\n\n');
      } else {
        plain(seen, response, request);
      }
    });
    const clock = new EagerClock(2);
    await using(connect(url, { clock }));
    await clock.whenUsed(2);
    assert.deepEqual(clock.waits, [3_600_000, 3_600_000]);
  });

  for (const retry of [undefined, 5_000]) {
    it(`fault 31: a stream that closes at once is opened ever more seldom, and nothing piles up (retry: ${retry})`, async function () {
      this.timeout(60_000);
      const url = await serve((seen, response, request) => {
        if (seen.method === 'GET') {
          const body = retry === undefined ? '' : `retry: ${retry}\n\n`;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
        } else {
          plain(seen, response, request);
        }
      });
      const clock = new EagerClock(1_000);
      const { transport } = await using(connect(url, { clock }));
      await clock.whenUsed(200);
      const before = heap();
      await clock.whenUsed(1_000);
      const { waits } = clock;
      assert.deepEqual(waits.slice(0, 3), retry === undefined ? [1_000, 1_500, 2_250] : [5_000, 7_500, 11_250]);
      assert.deepEqual(new Set(waits.slice(20)), new Set([60_000]));
      const { inner } = transport as unknown as { inner: { _abortController: AbortController } };
      assert.equal(getEventListeners(inner._abortController.signal, 'abort').length, 0);
      // The fixture keeps a record of each request, which is most of this.
      const grown = heap() - before;
      assert.ok(grown < 4_000_000, `${grown} bytes more after 800 cycles`);
    });
  }

  it('fault 32: one result out of a stream with every oddity of framing', async () => {
    const framings: [string, (lines: string[]) => string][] = [
      ['LF', (lines) => lines.join('\n')],
      ['CRLF', (lines) => lines.join('\r\n')],
      ['CR', (lines) => lines.join('\r')],
    ];
    for (const [name, join] of framings) {
      const url = await serve((seen, response, request) => {
        if (seen.message.method !== 'tools/call') {
          plain(seen, response, request);
          return;
        }
        const result = JSON.stringify(answerTo(seen), null, 1).split('\n');
        assert.ok(result.length >= 5);
        const lines = [
          ...[': ping', '', 'retry: 500', '', 'id: 1', 'data:', '', 'event: ping', 'data: {}', ''],
          ...['data: {"type":"heartbeat"}', '', 'data: not json', ''],
          ...result.map((line, index) => (index % 2 === 0 ? `data:${line}` : `data: ${line}`)),
          ...['', ''],
        ];
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        response.end(`\uFEFF${join(lines)}`);
      });
      const { client, transport } = await using(connect(url));
      const result = await client.callTool({ name: 'echo', arguments: {} });
      assert.deepEqual(result.content, [{ type: 'text', text: 'done' }], name);
      await transport.close();
      await fixture!.stop();
    }
  });

  const odd: [string, (response: ServerResponse) => void][] = [
    [
      '200 with a JSON type and no body',
      (response) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': 0 }).end(),
    ],
    ['200 with null', (response) => json(response, null)],
    ['204', (response) => response.writeHead(204).end()],
    ['200 with text', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')],
    ['an empty chunked body', (response) => response.writeHead(200, { 'transfer-encoding': 'chunked' }).end()],
    [
      'an event stream that stays open',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    ],
    [
      '202 with a body',
      (response) => response.writeHead(202, { 'content-type': 'application/json' }).end('{"ok":true}'),
    ],
  ];
  for (const [name, answer] of odd) {
    it(`fault 33: a notification answered by ${name} is accepted, and the listening stream opened`, async () => {
      const url = await serve((seen, response, request) => {
        if (seen.message.method === 'notifications/initialized') {
          answer(response);
        } else {
          plain(seen, response, request);
        }
      });
      const { client, errors } = await using(connect(url));
      await until(() => fixture!.requests('GET').length === 1);
      assert.equal((await client.listTools()).tools.length, 1);
      assert.deepEqual(errors, []);
    });
  }

  it('fault 34: the header carries the negotiated version', async () => {
    const url = await serve((seen, response) => {
      const version = seen.headers['mcp-protocol-version'];
      if (seen.message.method !== 'initialize' && version !== '2025-06-18') {
        response.writeHead(400).end(`bad version ${version}`);
        return;
      }
      const answer = answerTo(seen, '2025-06-18');
      if (answer === undefined) {
        response.writeHead(seen.method === 'POST' ? 202 : 405).end();
      } else {
        json(response, answer);
      }
    });
    const { client, errors } = await using(connect(url));
    assert.equal((await client.listTools()).tools.length, 1);
    assert.deepEqual(errors, []);
  });

  it('a reply above the cap fails that call alone, naming the server', async () => {
    const url = await serve((seen, response, request) => {
      if (seen.message.method === 'tools/call') {
        json(response, {
          jsonrpc: '2.0',
          id: seen.message.id,
          result: { content: [{ type: 'text', text: 'x'.repeat(200_000) }] },
        });
      } else {
        plain(seen, response, request);
      }
    });
    const { client } = await using(connect(url, { messageBytes: 100_000 }));
    await assert.rejects(
      client.callTool({ name: 'echo' }),
      (error) => PorticoError.is(error, 'MESSAGE_TOO_LARGE') && error.server === 'remote',
    );
    assert.equal((await client.listTools()).tools.length, 1);
  });

  it('a reply stream that ends without its answer fails the call at once', async () => {
    const url = await serve((seen, response, request) => {
      if (seen.message.method === 'tools/call') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
      } else {
        plain(seen, response, request);
      }
    });
    const { client } = await using(connect(url));
    await assert.rejects(client.callTool({ name: 'echo' }), /ended its reply without an answer/);
  });

  it('a cancelled call ends its request and leaves no listener', async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((seen, response, request) => {
      if (seen.message.method === 'tools/call') {
        response.on('close', closed);
      } else {
        plain(seen, response, request);
      }
    });
    const { client, transport } = await using(connect(url));
    const call = client.callTool({ name: 'echo' });
    await until(() => fixture!.messages('tools/call').length === 1);
    await transport.close();
    await assert.rejects(call);
    await gone;
  });

  it('failures of the network name the server, the host and what to do', async () => {
    const url = await serve(plain);
    await fixture!.stop();
    const { client, transport } = open(url, { mode: 'auto' });
    await assert.rejects(client.connect(transport), (error) => {
      const shown = toRemoteError(error, 'remote');
      assert.ok(PorticoError.is(shown, 'CONNECT_FAILED'));
      assert.equal(
        shown.message,
        `Server "remote": nothing listens at ${new URL(url).host} (ECONNREFUSED). Start the server, or check the port of its "url".`,
      );
      return true;
    });
    await transport.close();
  });
});

/** Runs what should wait at once, a given number of times, and keeps the waits that were asked for. */
class EagerClock implements Clock {
  readonly waits: number[] = [];
  private readonly used = new Emitter<number>();

  constructor(private readonly most: number) {}

  now(): number {
    return 0;
  }

  after(ms: number, run: () => void): Disposable {
    this.waits.push(ms);
    this.used.fire(this.waits.length);
    if (this.waits.length >= this.most) {
      return toDisposable(() => undefined);
    }
    const handle = setImmediate(run);
    return toDisposable(() => clearImmediate(handle));
  }

  whenUsed(times: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (count: number): void => {
        if (count >= times) {
          listening.dispose();
          resolve();
        }
      };
      const listening = this.used.event(check);
      check(this.waits.length);
    });
  }
}

/** Bytes in use after a collection. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

async function writeByteByByte(response: ServerResponse, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.from([byte]));
    await new Promise(setImmediate);
  }
  response.end();
}

/** Waits for a state that an event brings about. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
