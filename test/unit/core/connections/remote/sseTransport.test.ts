import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { systemClock } from '../../../../../src/base/clock';
import { PorticoError } from '../../../../../src/base/errors';
import { isSessionLost, isUnauthorized, toRemoteError } from '../../../../../src/core/connections/remote/remoteErrors';
import { connect, type Opened, open } from './client';
import { eventually } from '../until';
import { answerTo, HttpFixture, type Seen } from './httpFixture';

describe('SseTransport', () => {
  let fixture: HttpFixture | undefined;
  let opened: Opened | undefined;
  let stream: ServerResponse | undefined;

  /** A server of 2024-11-05 that names `endpoint`; answers go over the stream. */
  const serve = async (
    endpoint: (origin: string) => string | undefined,
    onPost: (seen: Seen, response: ServerResponse) => void = (_seen, response) => response.writeHead(202).end(),
  ): Promise<string> => {
    fixture = await HttpFixture.start((seen, response) => {
      if (seen.method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        const named = endpoint(fixture!.origin);
        stream.write(named === undefined ? ': hello\n\n' : `event: endpoint\ndata: ${named}\n\n`);
        return;
      }
      onPost(seen, response);
      const answer = answerTo(seen, '2024-11-05');
      if (answer !== undefined) {
        stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
      }
    });
    return `${fixture.origin}/base/sse`;
  };

  afterEach(async () => {
    await opened?.transport.close();
    await fixture?.stop();
    opened = undefined;
  });

  const endpoints: [string, (origin: string) => string, string][] = [
    ['an absolute path', () => '/messages?sid=1', '/messages?sid=1'],
    ['a relative one', () => 'messages?sid=1', '/base/messages?sid=1'],
    ['a whole address', (origin) => `${origin}/m?sid=1`, '/m?sid=1'],
  ];
  for (const [name, endpoint, path] of endpoints) {
    it(`fault 36: ${name} as endpoint is resolved against the SSE address`, async () => {
      const url = await serve(endpoint);
      opened = await connect(url, { type: 'sse', headers: { 'x-key': 'k' } });
      assert.equal((await opened.client.listTools()).tools.length, 1);
      assert.deepEqual([...new Set(fixture!.requests('POST').map((seen) => seen.path))], [path]);
      assert.deepEqual([...new Set(fixture!.seen.map((seen) => seen.headers['x-key']))], ['k']);
    });
  }

  for (const endpoint of ['http://127.0.0.1:9/messages', 'https://example.invalid/', 'http://[']) {
    it(`fault 36: the endpoint ${endpoint} on another origin is refused with an error`, async () => {
      const url = await serve(() => endpoint);
      opened = open(url, { type: 'sse' });
      await assert.rejects(
        opened.client.connect(opened.transport),
        (error) =>
          PorticoError.is(error, 'CONNECT_FAILED') && error.message.includes('unreadable or not on its own origin'),
      );
      assert.equal(fixture!.requests('POST').length, 0);
    });
  }

  it('fault 36: without an endpoint event the start ends by itself', async () => {
    const url = await serve(() => undefined);
    const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 100, run) };
    opened = open(url, { type: 'sse', clock });
    await assert.rejects(
      opened.client.connect(opened.transport),
      (error) => PorticoError.is(error, 'CONNECT_FAILED') && error.message.includes('within 10 s'),
    );
  });

  it('fault 36: a start that waits for its endpoint event ends when it is closed', async () => {
    opened = open(await serve(() => undefined), { type: 'sse' });
    const outcome = assert.rejects(opened.client.connect(opened.transport), { code: 'CONNECTION_LOST' });
    await eventually(() => fixture!.requests('GET').length === 1);
    await opened.transport.close();
    await outcome;
  });

  it('does not wait for the body of the reply to a POST', async () => {
    const url = await serve(
      () => '/m',
      (_seen, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    );
    opened = await connect(url, { type: 'sse' });
    assert.equal((await opened.client.listTools()).tools.length, 1);
  });

  it('closes when its stream ends, for its session ends with it', async () => {
    opened = await connect(await serve(() => '/m'), { type: 'sse' });
    const closed = new Promise<void>((resolve) => (opened!.client.onclose = resolve));
    stream?.end();
    await closed;
    assert.equal(fixture!.requests('GET').length, 1);
  });

  it('reports the status of a refused POST', async () => {
    let gone = false;
    const url = await serve(
      () => '/m',
      (_seen, response) => response.writeHead(gone ? 404 : 202).end(),
    );
    opened = await connect(url, { type: 'sse' });
    gone = true;
    await assert.rejects(opened.client.listTools(), (error) => isSessionLost(error));
  });

  for (const status of [401, 500]) {
    it(`a stream refused with ${status} says so`, async () => {
      fixture = await HttpFixture.start((_seen, response) => response.writeHead(status).end());
      opened = open(`${fixture.origin}/sse`, { type: 'sse' });
      await assert.rejects(opened.client.connect(opened.transport), (error) => {
        const shown = toRemoteError(error, 'remote');
        assert.ok(shown instanceof PorticoError);
        assert.equal(shown.code, status === 401 ? 'UNAUTHORIZED' : 'CONNECT_FAILED');
        assert.ok(shown.message.includes(`HTTP ${status}`));
        assert.equal(isUnauthorized(error), status === 401);
        return true;
      });
      assert.equal(fixture.seen.length, 1);
    });
  }

  it('says that nothing listens', async () => {
    fixture = await HttpFixture.start((_seen, response) => response.end());
    await fixture.stop();
    opened = open(`${fixture.origin}/sse`, { type: 'sse' });
    await assert.rejects(
      opened.client.connect(opened.transport),
      (error) => PorticoError.is(error, 'CONNECT_FAILED') && error.message.includes('nothing listens'),
    );
    fixture = undefined;
  });
});
