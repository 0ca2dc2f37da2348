import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { PorticoError } from '../../../../../src/base/errors';
import { connectionTo, stopAll, type TestConnection } from '../testConnection';
import { answerTo, HttpFixture, json, plain, type Seen } from './httpFixture';

const START = { interactive: false };
const DONE = [{ type: 'text', text: 'done' }];

describe('replies to requests over HTTP', () => {
  let fixture: HttpFixture | undefined;

  /** A server that answers calls in its own way; `get` answers what is no POST. */
  const serve = async (
    answerCall: (response: ServerResponse, answer: object, seen: Seen) => void,
    get: (seen: Seen, response: ServerResponse) => void = (_seen, response) => response.writeHead(405).end(),
    limits: { readonly requestMs?: number } = {},
  ): Promise<TestConnection> => {
    fixture = await HttpFixture.start((seen, response, request) => {
      if (seen.message.method === 'tools/call') {
        answerCall(response, answerTo(seen) as object, seen);
      } else if (seen.method === 'POST') {
        plain(seen, response, request);
      } else {
        get(seen, response);
      }
    });
    const test = connectionTo({ type: 'http', url: `${fixture.origin}/mcp`, headers: {} }, { limits });
    await test.connection.start(START);
    return test;
  };
  const send = (status: number, type: string, body: unknown) => (response: ServerResponse) =>
    response
      .writeHead(status, type === '' ? {} : { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

  afterEach(async () => {
    await stopAll();
    await fixture?.stop();
    fixture = undefined;
  });

  for (const status of [200, 202, 204]) {
    it(`a ${status} without a body fails the call at once and says so`, async () => {
      const { connection } = await serve((response) => response.writeHead(status).end());
      await assert.rejects(connection.callTool('echo', {}), {
        code: 'REPLY_INVALID',
        message: `Server "srv" accepted tools/call (HTTP ${status}) but did not answer it. See its own log; its "url" may not be the MCP endpoint.`,
      });
      assert.equal(fixture!.messages('tools/call').length, 1);
      assert.equal(connection.state.peek().kind, 'ready');
    });
  }

  it('an answer that comes over the listening stream after a 202 is taken', async () => {
    let stream: ServerResponse | undefined;
    const { connection } = await serve(
      (response, answer) => {
        response.writeHead(202).end();
        stream?.write(`data: ${JSON.stringify(answer)}\n\n`);
      },
      (_seen, response) => {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        stream.flushHeaders();
      },
    );
    assert.deepEqual((await connection.callTool('echo', {})).content, DONE);
    assert.deepEqual((await connection.callTool('echo', {})).content, DONE);
  });

  it('a 202 while the listening stream is asked for fails the call when that is refused', async () => {
    let refuse = (): void => undefined;
    const { connection } = await serve(
      (response) => {
        response.writeHead(202).end();
        refuse();
      },
      (_seen, response) => (refuse = () => void response.writeHead(405).end()),
    );
    await assert.rejects(connection.callTool('echo', {}), { code: 'REPLY_INVALID', message: /\(HTTP 202\)/ });
  });

  it('a 202 that no answer follows over the listening stream explains the end of the time', async () => {
    const { connection } = await serve(
      (response) => response.writeHead(202).end(),
      (_seen, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    );
    await assert.rejects(connection.callTool('echo', {}, { timeoutMs: 100 }), {
      code: 'TIMEOUT',
      message: /accepted the request \(HTTP 202\)/,
    });
  });

  for (const [status, type] of [
    [201, 'application/json'],
    [202, 'application/json'],
    [200, 'application/vnd.x+json'],
    [200, 'text/json'],
    [200, 'application/json, application/json'],
    [200, 'APPLICATION/JSON; Charset="UTF-8"'],
    [200, ''],
    [200, 'text/plain'],
    [200, 'text/html'],
  ] as const) {
    it(`JSON as "${type}" with ${status} is the answer`, async () => {
      const { connection } = await serve((response, answer) => send(status, type, answer)(response));
      assert.deepEqual((await connection.callTool('echo', {})).content, DONE);
    });
  }

  for (const [status, type] of [
    [202, 'text/event-stream'],
    [200, 'Text/Event-Stream, text/event-stream'],
  ] as const) {
    it(`an event stream as "${type}" with ${status} is one`, async () => {
      const { connection } = await serve((response, answer) =>
        send(status, type, `data: ${JSON.stringify(answer)}\n\n`)(response),
      );
      assert.deepEqual((await connection.callTool('echo', {})).content, DONE);
    });
  }

  it('a batch is taken from JSON and from a stream alike, in every revision', async () => {
    const { connection } = await serve((response, answer, { message }) => {
      const batch = JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/message', params: {} }, answer]);
      const isStream = message.params?.['name'] === 'stream';
      send(200, isStream ? 'text/event-stream' : 'application/json', isStream ? `data: ${batch}\n\n` : batch)(response);
    });
    assert.deepEqual((await connection.callTool('stream', {})).content, DONE);
    assert.deepEqual((await connection.callTool('json', {})).content, DONE);
  });

  it('a stream whose answer breaks the protocol fails the call, as JSON does', async () => {
    const { connection } = await serve((response, _answer, { message }) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: 'x' })}\n\n`),
    );
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'REPLY_INVALID',
      message: /a result that is no object/,
    });
  });

  const refusal = { jsonrpc: '2.0', error: { code: -32600, message: 'refused by policy' } };
  for (const [name, answer] of [
    ['200, id null', send(200, 'application/json', { ...refusal, id: null })],
    ['200, no id', send(200, 'application/json', refusal)],
    ['400, id null', send(400, 'application/json', { ...refusal, id: null })],
    ['422, no id, no type', send(422, '', refusal)],
    ['500, id null', send(500, 'application/json', { ...refusal, id: null })],
    ['a stream, id null', send(200, 'text/event-stream', `data: ${JSON.stringify({ ...refusal, id: null })}\n\n`)],
  ] as const) {
    it(`an error that names no request is the answer (${name})`, async () => {
      const { connection } = await serve((response) => answer(response));
      await assert.rejects(connection.callTool('echo', {}), { code: -32600, message: /refused by policy/ });
      assert.equal(fixture!.messages('tools/call').length, 1);
      assert.equal(connection.state.peek().kind, 'ready');
    });
  }

  it('an error that names its request is the answer whatever the status, except where that says more', async () => {
    let status = 500;
    const { connection } = await serve((response, _answer, { message }) =>
      send(status, 'application/json', { ...refusal, id: message.id })(response),
    );
    for (status of [400, 409, 500, 503]) {
      await assert.rejects(connection.callTool('echo', {}), { code: -32600 });
    }
    status = 403;
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'ACCESS_DENIED',
      message: /\(HTTP 403\): refused by policy\. Check/,
    });
    assert.equal(fixture!.messages('initialize').length, 1);
  });

  it('the sentence of a gateway is shown with its status', async () => {
    const { connection } = await serve((response) => send(502, 'application/json', { ...refusal, id: null })(response));
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'CONNECT_FAILED',
      message: 'Server "srv" is not available at the moment (HTTP 502): refused by policy. Try again later.',
    });
  });

  for (const [name, type, body, message] of [
    [
      'the answer to another request',
      'application/json',
      '{"jsonrpc":"2.0","id":"zzz","result":{}}',
      /answered tools\/call with an answer to another request \(id "zzz"\)/,
    ],
    ['other JSON', 'application/json', '{"ok":true}', /with JSON that is not MCP: {"ok":true}\. Check/],
    [
      'a web page',
      'text/html',
      '<html><head><title>Sign in</title><style>a{}</style></head>',
      /answered with a web page, not MCP \(it says “Sign in”\)\. Check .* sign in first\./,
    ],
    ['text', 'text/plain', 'hello', /something that is not MCP \(it says “hello”\)\. Check/],
    ['broken JSON', 'application/json', '{"jsonrpc":', /something that is not MCP/],
    [
      'a message that the SDK refuses',
      'application/json',
      '{"jsonrpc":"1.0","id":ID,"result":{"content":[],"_meta":{}}}',
      /with a message that is not MCP\. See its own log/,
    ],
  ] as const) {
    it(`${name} fails the call at once, in words`, async () => {
      const { connection } = await serve((response, _answer, seen) =>
        send(200, type, body.replace('ID', String(seen.message.id)))(response),
      );
      await assert.rejects(
        connection.callTool('echo', {}),
        (error) => PorticoError.is(error, 'REPLY_INVALID', 'CONNECT_FAILED') && message.test(error.message),
      );
    });
  }

  for (const type of ['text/event-stream', 'text/plain']) {
    it(`a refusal whose body does not end is told with what came of it (${type})`, async () => {
      const { connection } = await serve((response) =>
        response.writeHead(500, { 'content-type': type }).write('no disk'),
      );
      await assert.rejects(connection.callTool('echo', {}), {
        code: 'CONNECT_FAILED',
        message: 'Server "srv" answered HTTP 500: no disk. Check its "url" and its own log.',
      });
    });
  }

  it('a server that accepts a question about its era, and everything else as is right, starts', async () => {
    fixture = await HttpFixture.start((seen, response, request) =>
      seen.message.method === 'server/discover' ? response.writeHead(202).end() : plain(seen, response, request),
    );
    const { connection } = connectionTo({ type: 'http', url: `${fixture.origin}/mcp`, headers: {} });
    await connection.start(START);
    assert.equal(connection.state.peek().kind, 'ready');
  });

  it('a switch of protocols (101) and too many headers are named', async () => {
    const { connection } = await serve((response, _answer, { message }) => {
      if (message.params?.['name'] === 'switch') {
        response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
      } else {
        json(response, {}, { 'x-a': 'a'.repeat(40_000) });
      }
    });
    await assert.rejects(connection.callTool('switch', {}), {
      code: 'CONNECT_FAILED',
      message: /another protocol.*101/,
    });
    await assert.rejects(connection.callTool('headers', {}), { code: 'CONNECT_FAILED', message: /more headers than/ });
  });
});
