import assert from 'node:assert/strict';
import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { PorticoError } from '../../../../../src/base/errors';
import {
  isSessionLost,
  isUnauthorized,
  shouldFallBackToSse,
  toRemoteError,
} from '../../../../../src/core/connections/remote/remoteErrors';
import { openStreamable } from '../../../../../src/core/connections/remote/remoteTransport';
import { systemClock } from '../../../../../src/base/clock';
import { type Opened, open } from './client';
import { answerTo, type Handler, HttpFixture, json } from './httpFixture';

const refused = (status: number, text = ''): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status, statusText: '', text });

describe('remoteErrors', () => {
  let fixture: HttpFixture | undefined;
  let opened: Opened | undefined;

  const failure = async (handler: Handler): Promise<unknown> => {
    fixture = await HttpFixture.start(handler);
    opened = open(`${fixture.origin}/mcp`, { mode: 'auto' });
    return opened.client.connect(opened.transport).then(
      () => assert.fail('connected'),
      (error: unknown) => error,
    );
  };

  afterEach(async () => {
    await opened?.transport.close();
    await fixture?.stop();
    opened = undefined;
    fixture = undefined;
  });

  for (const status of [400, 404, 405]) {
    it(`fault 36: initialize refused with ${status} leads to the legacy transport`, async () => {
      const error = await failure((_seen, response) => response.writeHead(status).end());
      assert.equal(shouldFallBackToSse(error), true);
    });
  }

  it('fault 36: a POST answered with the legacy event stream leads to the legacy transport', async () => {
    const error = await failure((_seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\r\ndata: /m\r\n\r\n');
    });
    assert.equal(shouldFallBackToSse(error), true);
  });

  for (const [status, code] of [
    [401, 'UNAUTHORIZED'],
    [403, 'ACCESS_DENIED'],
    [500, 'CONNECT_FAILED'],
    [503, 'CONNECT_FAILED'],
  ] as const) {
    it(`fault 36: ${status} is shown as it is, without another try`, async () => {
      const error = await failure((_seen, response) => response.writeHead(status).end('the\nreason'));
      assert.equal(shouldFallBackToSse(error), false);
      assert.equal(isUnauthorized(error), status === 401);
      const shown = toRemoteError(error, 'remote');
      assert.ok(PorticoError.is(shown, code));
      assert.ok(shown.message.includes(`HTTP ${status}`), shown.message);
      assert.equal(shown.message.includes('the reason'), status !== 401);
    });
  }

  it('a web page instead of MCP is said to be one', async () => {
    const error = await failure((_seen, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    const shown = toRemoteError(error, 'remote');
    assert.ok(PorticoError.is(shown, 'CONNECT_FAILED'));
    assert.match(shown.message, /not MCP/);
    assert.equal(shouldFallBackToSse(error), false);
  });

  it('fault 34: an unknown version is refused', async () => {
    const error = await failure((seen, response) => json(response, answerTo(seen, '1999-01-01')));
    assert.match(toRemoteError(error, 'remote').message, /1999-01-01/);
  });

  it('knows a lost session', () => {
    assert.equal(isSessionLost(refused(404)), true);
    assert.equal(
      isSessionLost(refused(400, '{"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}')),
      true,
    );
    assert.equal(isSessionLost(refused(400, 'bad arguments')), false);
    assert.equal(isSessionLost(refused(500)), false);
    assert.equal(isSessionLost(new Error('404')), false);
  });

  for (const [name, value] of [
    ['X-Key', 'a\r\nHost: evil'],
    ['X Key', 'a'],
    ['Content-Length', '0'],
    ['X-Key', '→'],
  ] as const) {
    it(`refuses the header ${JSON.stringify(name)} with ${JSON.stringify(value)} without naming the value`, () => {
      assert.throws(
        () =>
          openStreamable(
            { type: 'http', url: 'http://127.0.0.1/', headers: { [name]: value } },
            { server: 'remote', clock: systemClock, messageBytes: 1 },
          ),
        (error) =>
          PorticoError.is(error, 'CONFIG_INVALID') &&
          error.message.includes(JSON.stringify(name)) &&
          !error.message.includes(value.length > 1 ? value : '→'),
      );
    });
  }
});
