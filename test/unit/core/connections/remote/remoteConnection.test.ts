import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { PorticoError } from '../../../../../src/base/errors';
import type { Launch } from '../../../../../src/core/config/configTypes';
import { connectionTo, stopAll, type TestConnection } from '../testConnection';
import { eventually } from '../until';
import { answerTo, type Handler, HttpFixture, json, plain, type Seen } from './httpFixture';

const START = { interactive: false };

describe('a connection to a remote server', () => {
  let fixture: HttpFixture | undefined;

  const serve = async (handler: Handler): Promise<Launch> => {
    fixture = await HttpFixture.start(handler);
    return { type: 'http', url: `${fixture.origin}/mcp`, headers: { authorization: 'Bearer t' } };
  };
  const started = async (launch: Launch): Promise<TestConnection> => {
    const test = connectionTo(launch);
    await test.connection.start(START);
    return test;
  };
  const tools = ({ connection }: TestConnection): readonly string[] =>
    connection.lists.peek().tools.items.map(({ name }) => name);

  afterEach(async () => {
    await stopAll();
    await fixture?.stop();
    fixture = undefined;
  });

  for (const status of [404, 406, 400, 500]) {
    it(`fault 29: is ready without the listening stream that was refused with ${status}`, async () => {
      const test = await started(
        await serve((seen, response, request) => {
          if (seen.message.method === 'initialize') {
            json(response, answerTo(seen), { 'mcp-session-id': 's1' });
          } else if (seen.method === 'GET') {
            response.writeHead(status).end();
          } else {
            plain(seen, response, request);
          }
        }),
      );
      await eventually(() => fixture!.requests('GET').length === 1);
      await test.connection.callTool('echo', {});
      assert.equal(test.connection.state.peek().kind, 'ready');
      assert.deepEqual(tools(test), ['echo']);
      assert.equal(fixture!.messages('initialize').length, 1);
      assert.deepEqual(
        test.log.lines.filter((line) => line.startsWith('protocol:')),
        [],
      );
    });
  }

  it('fault 36: an event stream that never names its endpoint ends with the time of the start, and with a stop', async () => {
    const launch = await serve((seen, response) => {
      if (seen.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      } else {
        response.writeHead(405).end();
      }
    });
    const late = connectionTo(launch, { limits: { startMs: 300 } });
    await assert.rejects(late.connection.start(START), { code: 'START_TIMEOUT' });
    const { connection } = connectionTo(launch);
    const outcome = assert.rejects(connection.start(START), { code: 'CANCELLED' });
    await eventually(() => fixture!.requests('GET').length === 2);
    await connection.stop();
    await outcome;
    assert.equal(connection.state.peek().kind, 'stopped');
  });

  it('a handshake that is never answered is ended with the start that wanted it', async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const launch = await serve((_seen, response) => void response.on('close', closed));
    const { connection } = connectionTo(launch);
    const outcome = assert.rejects(connection.start(START), { code: 'CANCELLED' });
    await eventually(() => fixture!.messages('server/discover').length === 1);
    await connection.stop();
    await Promise.all([outcome, gone]);
  });

  it('takes JSON without a content type, and a last event without its empty line', async () => {
    const test = await started(
      await serve((seen, response, request) => {
        const answer = answerTo(seen);
        if (answer === undefined || seen.method !== 'POST') {
          plain(seen, response, request);
        } else if (seen.message.method === 'initialize') {
          response.writeHead(200).end(JSON.stringify(answer));
        } else {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(answer)}`);
        }
      }),
    );
    assert.deepEqual(tools(test), ['echo']);
  });

  for (const [path, pattern] of [
    ['note', /HTTP 500 to notifications\/initialized/],
    ['origin', /not on its own origin/],
    ['script', /no web address: javascript:alert\(1\)/],
    ['page', /HTTP 500: no entry\./],
  ] as const) {
    it(`names the real reason of a failed start: ${path}`, async () => {
      const launch = await serve((seen, response, request) => {
        if (path === 'note' && seen.message.method === 'notifications/initialized') {
          response.writeHead(500).end();
        } else if (path === 'origin' && seen.method === 'GET') {
          response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .write('event: endpoint\ndata: http://x.y/\n\n');
        } else if (path === 'origin') {
          response.writeHead(405).end();
        } else if (path === 'script') {
          response.writeHead(307, { location: 'javascript:alert(1)' }).end();
        } else if (path === 'page') {
          response.writeHead(500).end('<html><script>a()</script><b>no entry</b></html>');
        } else {
          plain(seen, response, request);
        }
      });
      await assert.rejects(connectionTo(launch).connection.start(START), pattern);
    });
  }

  it('fault 31: stays ready while the listening stream closes at once, again and again', async () => {
    const test = await started(
      await serve((seen, response, request) => {
        if (seen.method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 100\n\n');
        } else {
          plain(seen, response, request);
        }
      }),
    );
    await eventually(() => fixture!.requests('GET').length >= 4);
    assert.equal(test.connection.state.peek().kind, 'ready');
    assert.equal(fixture!.messages('initialize').length, 1);
  });

  it('fault 32: takes the lists out of oddly framed streams', async () => {
    const test = await started(
      await serve((seen, response, request) => {
        const answer = answerTo(seen);
        if (seen.method !== 'POST' || answer === undefined) {
          plain(seen, response, request);
          return;
        }
        const lines = [': ping', '', 'id: 1', 'data:', '', 'data: {"type":"heartbeat"}', ''];
        lines.push(
          ...JSON.stringify(answer, null, 1)
            .split('\n')
            .map((line) => `data:${line}`),
          '',
          '',
        );
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`\uFEFF${lines.join('\r')}`);
      }),
    );
    assert.deepEqual(tools(test), ['echo']);
  });

  it('fault 33: starts although the notification is answered by 200 without a body', async () => {
    const test = await started(
      await serve((seen, response, request) => {
        if (seen.message.method === 'notifications/initialized') {
          response.writeHead(200, { 'content-type': 'application/json' }).end();
        } else {
          plain(seen, response, request);
        }
      }),
    );
    assert.deepEqual(tools(test), ['echo']);
  });

  it('fault 34: sends the negotiated version, and tells an unknown one by name', async () => {
    let version = '2025-03-26';
    const launch = await serve((seen, response) => {
      const answer = answerTo(seen, version);
      if (seen.method !== 'POST' || answer === undefined) {
        response.writeHead(seen.method === 'POST' ? 202 : 405).end();
      } else {
        json(response, answer);
      }
    });
    const test = await started(launch);
    const header = fixture!.messages('tools/list')[0]?.headers['mcp-protocol-version'];
    assert.equal(header, '2025-03-26');
    await test.connection.stop();
    version = '1999-01-01';
    await assert.rejects(
      test.connection.start(START),
      (error) => PorticoError.is(error, 'PROTOCOL_VERSION') && error.message.includes('1999-01-01'),
    );
  });

  it('fault 35: fails with the new address, and sends no credentials to another origin', async () => {
    const other = await HttpFixture.start(plain);
    try {
      const launch = await serve((_seen, response) =>
        response.writeHead(307, { location: `${other.origin}/mcp` }).end(),
      );
      await assert.rejects(
        connectionTo(launch).connection.start(START),
        (error) => PorticoError.is(error, 'CONNECT_FAILED') && error.message.includes(`${other.origin}/mcp`),
      );
      assert.equal(other.seen.length, 0);
    } finally {
      await other.stop();
    }
  });

  for (const refusal of [400, 404, 405, 200]) {
    it(`fault 36: falls back to the legacy transport after ${refusal}`, async () => {
      const legacy = new LegacyServer(refusal);
      const test = await started(await serve(legacy.handle));
      assert.deepEqual(tools(test), ['echo']);
      assert.equal(fixture!.requests('POST').at(-1)?.path, '/messages?sid=1');
      assert.equal(test.connection.state.peek().kind, 'ready');
    });
  }

  for (const [status, code] of [
    [401, 'UNAUTHORIZED'],
    [500, 'CONNECT_FAILED'],
  ] as const) {
    it(`fault 36: shows ${status} as it is and opens no legacy stream`, async () => {
      const { connection } = connectionTo(await serve((_seen, response) => response.writeHead(status).end()));
      await assert.rejects(
        connection.start(START),
        (error) => PorticoError.is(error, code) && error.message.includes(`HTTP ${status}`),
      );
      assert.equal(connection.state.peek().kind, 'failed');
      assert.equal(fixture!.requests('GET').length, 0);
    });
  }

  it('fault 36: shows the first failure where the legacy transport fails too', async () => {
    const { connection } = connectionTo(await serve((_seen, response) => response.writeHead(404).end('not here')));
    await assert.rejects(
      connection.start(START),
      (error) => PorticoError.is(error, 'CONNECT_FAILED') && error.message.includes('HTTP 404: not here'),
    );
  });
});

/** A server of 2024-11-05 that answers a POST to its SSE address with `refusal`: 200 opens another stream there. */
class LegacyServer {
  private stream: ServerResponse | undefined;

  constructor(private readonly refusal: number) {}

  readonly handle = (seen: Seen, response: ServerResponse): void => {
    const opens = seen.path === '/mcp' && (seen.method === 'GET' || this.refusal === 200);
    if (opens) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages?sid=1\n\n');
      this.stream = response;
    } else if (seen.path === '/mcp') {
      response.writeHead(this.refusal).end();
    } else {
      response.writeHead(202).end('Accepted');
      const answer = answerTo(seen, '2024-11-05');
      if (answer !== undefined) {
        this.stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
      }
    }
  };
}
