import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PorticoError } from '../../../../../src/base/errors';
import { systemClock } from '../../../../../src/base/clock';
import { toDisposable } from '../../../../../src/base/disposable';
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
    const url = await serve((seen, response) => {
      if (seen.message.method === 'initialize') {
        json(response, answerTo(seen), { 'mcp-session-id': 's1' });
      } else if (seen.method === 'DELETE') {
        response.writeHead(405).end();
      } else {
        plain(seen, response, undefined as never);
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
    const url = await serve((seen, response) => {
      if (seen.message.method === 'initialize') {
        json(response, answerTo(seen), { 'mcp-session-id': 's1' });
      } else if (seen.method !== 'DELETE') {
        plain(seen, response, undefined as never);
      }
    });
    const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 100, run) };
    const { transport } = await using(connect(url, { clock }));
    await transport.terminate();
    assert.equal(fixture!.requests('DELETE').length, 1);
  });

  it('fault 18: characters cut at chunk borders stay whole, in JSON and in an event stream', async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      const url = await serve((seen, response) => {
        if (seen.message.method !== 'tools/list') {
          plain(seen, response, undefined as never);
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
      const url = await serve((seen, response) => {
        if (seen.message.method === 'initialize') {
          json(response, answerTo(seen), { 'mcp-session-id': 's1' });
        } else if (seen.method === 'GET') {
          response.writeHead(status, { 'content-type': 'text/plain' }).end('no');
        } else {
          plain(seen, response, undefined as never);
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
    const url = await serve((seen, response) => {
      if (seen.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      } else {
        plain(seen, response, undefined as never);
      }
    });
    const { client, errors } = await using(connect(url));
    await until(() => fixture!.requests('GET').length === 1);
    assert.equal((await client.listTools()).tools.length, 1);
    assert.deepEqual(errors, []);
  });

  for (const retry of [undefined, 5_000]) {
    it(`fault 31: a stream that closes at once is opened ever more seldom, nothing piles up (retry ${retry ?? 'absent'})`, async function () {
      this.timeout(60_000);
      const url = await serve((seen, response) => {
        if (seen.method === 'GET') {
          response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .end(retry === undefined ? '' : `retry: ${retry}\n\n`);
        } else {
          plain(seen, response, undefined as never);
        }
      });
      const waits: number[] = [];
      let stopAt = 100;
      let stopped = (): void => undefined;
      const clock = {
        now: () => 0,
        after: (ms: number, run: () => void) => {
          waits.push(ms);
          if (waits.length === stopAt) {
            stopped();
            return toDisposable(() => undefined);
          }
          const handle = setImmediate(run);
          return toDisposable(() => clearImmediate(handle));
        },
      };
      const first = new Promise<void>((resolve) => (stopped = resolve));
      const { transport } = await using(connect(url, { clock }));
      await first;
      assert.deepEqual(waits.slice(0, 3), retry === undefined ? [1_000, 1_500, 2_250] : [5_000, 7_500, 11_250]);
      assert.deepEqual(new Set(waits.slice(-10)), new Set([60_000]));
      assert.deepEqual(
        waits.slice(1).filter((wait, index) => wait < waits[index]!),
        [],
      );
      const signal = (transport as unknown as { inner: { _abortController: AbortController } }).inner._abortController
        .signal;
      assert.equal(getEventListeners(signal, 'abort').length, 0);
      void stopAt;
    });
  }

  it('fault 32: one result out of a stream with every oddity of framing', async () => {
    const framings: [string, (lines: string[]) => string][] = [
      ['LF', (lines) => lines.join('\n')],
      ['CRLF', (lines) => lines.join('\r\n')],
      ['CR', (lines) => lines.join('\r')],
    ];
    for (const [name, join] of framings) {
      const url = await serve((seen, response) => {
        if (seen.message.method !== 'tools/call') {
          plain(seen, response, undefined as never);
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
      const url = await serve((seen, response) => {
        if (seen.message.method === 'notifications/initialized') {
          answer(response);
        } else {
          plain(seen, response, undefined as never);
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
    const url = await serve((seen, response) => {
      if (seen.message.method === 'tools/call') {
        json(response, {
          jsonrpc: '2.0',
          id: seen.message.id,
          result: { content: [{ type: 'text', text: 'x'.repeat(200_000) }] },
        });
      } else {
        plain(seen, response, undefined as never);
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
    const url = await serve((seen, response) => {
      if (seen.message.method === 'tools/call') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
      } else {
        plain(seen, response, undefined as never);
      }
    });
    const { client } = await using(connect(url));
    await assert.rejects(client.callTool({ name: 'echo' }), /ended its reply without an answer/);
  });

  it('a cancelled call ends its request and leaves no listener', async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((seen, response) => {
      if (seen.message.method === 'tools/call') {
        response.on('close', closed);
      } else {
        plain(seen, response, undefined as never);
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
