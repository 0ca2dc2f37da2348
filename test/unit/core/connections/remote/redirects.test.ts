import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PorticoError } from '../../../../../src/base/errors';
import { toRemoteError } from '../../../../../src/core/connections/remote/remoteErrors';
import { redirectTarget } from '../../../../../src/core/connections/remote/redirects';
import { connect, type Opened, open } from './client';
import { type Handler, HttpFixture, plain } from './httpFixture';

const headers = { authorization: 'Bearer secret', 'x-key': 'k' };

describe('redirects', () => {
  const fixtures: HttpFixture[] = [];
  let opened: Opened | undefined;

  const serve = async (handler: Handler): Promise<HttpFixture> => {
    const fixture = await HttpFixture.start(handler);
    fixtures.push(fixture);
    return fixture;
  };
  const failure = async (url: string): Promise<Error> => {
    opened = open(url, { headers, mode: 'auto' });
    const error: unknown = await opened.client.connect(opened.transport).then(
      () => assert.fail('connected'),
      (reason: unknown) => reason,
    );
    return toRemoteError(error, 'remote');
  };

  afterEach(async () => {
    await opened?.transport.close();
    opened = undefined;
    await Promise.all(fixtures.splice(0).map((fixture) => fixture.stop()));
  });

  for (const status of [307, 308]) {
    it(`fault 35: ${status} within the origin keeps method, body and headers`, async () => {
      const fixture = await serve((seen, response, request) => {
        if (seen.path === '/mcp') {
          response.writeHead(status, { location: '/mcp/' }).end('moved');
        } else {
          plain(seen, response, request);
        }
      });
      opened = await connect(`${fixture.origin}/mcp`, { headers });
      assert.equal((await opened.client.listTools()).tools.length, 1);
      const lists = fixture.messages('tools/list');
      assert.deepEqual(
        lists.map(({ method, path, headers: sent }) => [method, path, sent.authorization, sent['x-key']]),
        [
          ['POST', '/mcp', 'Bearer secret', 'k'],
          ['POST', '/mcp/', 'Bearer secret', 'k'],
        ],
      );
      assert.equal(lists[0]?.body, lists[1]?.body);
    });
  }

  for (const status of [301, 302, 303]) {
    it(`fault 35: ${status} on a POST is an error that names the new address`, async () => {
      const fixture = await serve((_seen, response) => response.writeHead(status, { location: '/mcp/?key=s' }).end());
      const error = await failure(`${fixture.origin}/mcp?key=s`);
      assert.ok(PorticoError.is(error, 'CONNECT_FAILED'));
      assert.equal(
        error.message,
        `Server "remote" has moved to ${fixture.origin}/mcp/ (HTTP ${status}). Put that address into "url".`,
      );
      assert.equal(fixture.seen.length, 1);
    });
  }

  for (const status of [301, 307, 308]) {
    it(`fault 35: ${status} to another origin is refused and nothing is sent there`, async () => {
      const other = await serve(plain);
      const fixture = await serve((_seen, response) =>
        response.writeHead(status, { location: `${other.origin}/mcp` }).end(),
      );
      const error = await failure(`${fixture.origin}/mcp`);
      assert.ok(PorticoError.is(error, 'CONNECT_FAILED'));
      assert.ok(error.message.includes(`another origin, ${other.origin}/mcp (HTTP ${status})`), error.message);
      assert.equal(other.seen.length, 0);
    });
  }

  for (const [status, location, pattern] of [
    [307, undefined, /redirects 127\.0\.0\.1:\d+ without saying where to \(HTTP 307\)\. Check its "url"/],
    [301, undefined, /without saying where to \(HTTP 301\)/],
    [308, 'http://[', /to an address that cannot be read \(HTTP 308\)/],
    [300, undefined, /answered HTTP 300, which is no answer in MCP\. Check its "url"/],
    [304, undefined, /answered HTTP 304, which is no answer in MCP/],
  ] as const) {
    it(`fault 35: ${status} to ${location} is put into words`, async () => {
      const fixture = await serve((_seen, response) =>
        response.writeHead(status, location === undefined ? {} : { location }).end(),
      );
      const error = await failure(`${fixture.origin}/mcp`);
      assert.ok(PorticoError.is(error, 'CONNECT_FAILED'), String(error));
      assert.match(error.message, pattern);
    });
  }

  it('fault 35: https to http on the same host is another origin', () => {
    const from = new URL('https://mcp.example/mcp');
    const reply = { statusCode: 307, headers: { location: 'http://u:p@mcp.example/mcp?key=s' } } as IncomingMessage;
    assert.throws(() => redirectTarget(reply, from, 'POST', 0, 'remote'), {
      code: 'CONNECT_FAILED',
      message: /another origin, http:\/\/mcp\.example\/mcp \(HTTP 307\)/,
    });
  });

  it('fault 35: a circle of redirects ends', async () => {
    const fixture = await serve((_seen, response) => response.writeHead(307, { location: '/mcp' }).end());
    const error = await failure(`${fixture.origin}/mcp`);
    assert.ok(PorticoError.is(error, 'CONNECT_FAILED'));
    assert.match(error.message, /redirects more than 5 times/);
    assert.equal(fixture.seen.length, 6);
  });
});
