import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientTokens } from '../../../src/server/clientTokens';
import { RequestBodies } from '../../../src/server/requestBodies';
import { eventually } from '../core/connections/until';
import { createTestListener, type TestListener } from './localListener';
import { type Answer, send } from './socketFetch';

describe('bodies of requests', () => {
  let tokens: ClientTokens;
  let test: TestListener;
  /** Ends a request that was let in, by its body. */
  let answers: Map<string, () => void>;

  beforeEach(async () => {
    tokens = new ClientTokens();
    tokens.add({ id: 'one', label: 'One' }, 'token-one');
    tokens.add({ id: 'other', label: 'Other' }, 'token-other');
    test = createTestListener({ bodyBytes: 1_000, unansweredBytes: 1_500, burst: 1_000_000 }, tokens);
    answers = new Map();
    test.listener.addRoute({
      prefix: '/',
      methods: ['POST'],
      handle: async ({ response, body = '' }) => {
        if (body.startsWith('hold')) {
          await new Promise<void>((resolve) => answers.set(body.trim(), resolve));
        }
        response.writeHead(200).end(body);
      },
    });
    await test.listener.start();
  });
  afterEach(() => {
    test.dispose();
    tokens.dispose();
  });

  const post = (body: string, client = 'one'): Promise<Answer> =>
    send(
      { kind: 'socket', path: test.path },
      { path: '/', body, headers: { authorization: `Bearer token-${client}` } },
    );
  /** Sends large bodies until one of them is answered so. */
  const postUntil = async (status: number): Promise<void> => {
    for (let given = 0; given !== status;) {
      ({ status: given } = await post('y'.repeat(1_000)));
    }
  };
  const begin = async (body: string): Promise<Socket> => {
    const socket = connect(test.path);
    await once(socket, 'connect');
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-one\r\nContent-Length: 1000\r\n\r\n',
    );
    socket.write(body);
    return socket;
  };

  it('are counted by client until they are answered, and refused beyond a bound', async () => {
    const held = post('hold 1'.padEnd(1_000));
    await eventually(() => answers.has('hold 1'));
    const refused = await post('x'.repeat(501));
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
    assert.match(refused.text, /not answered yet/);
    assert.equal((await post('x'.repeat(500))).status, 200);
    assert.equal((await post('x'.repeat(1_000), 'other')).status, 200);
    answers.get('hold 1')?.();
    assert.equal((await held).status, 200);
    assert.equal((await post('x'.repeat(1_000))).status, 200);
    assert.equal((await post('x'.repeat(1_001))).status, 413);
  });

  it('are counted while they come, and no longer once their client has gone', async () => {
    const socket = await begin('x'.repeat(900));
    await postUntil(429);
    socket.destroy();
    await postUntil(200);
  });

  it('are counted no longer once their client is no longer let in', async () => {
    const held = assert.rejects(post('hold 1'.padEnd(1_000)), { code: 'ECONNRESET' });
    await eventually(() => answers.has('hold 1'));
    tokens.revoke('one');
    await held;
    tokens.add({ id: 'one', label: 'One' }, 'token-one');
    assert.equal((await post('x'.repeat(1_000))).status, 200);
  });

  it('are whole whatever pieces they come in', async () => {
    const text = `${'😀ä'.repeat(150)}${'z'.repeat(100)}`;
    const bytes = Buffer.from(text);
    assert.equal(bytes.length, 1_000);
    const socket = await begin('');
    const answer = (async () => {
      let given = '';
      for await (const chunk of socket.setEncoding('utf8')) {
        given += String(chunk);
        if (given.endsWith('\r\n0\r\n\r\n')) {
          break;
        }
      }
      return given;
    })();
    for (let at = 0; at < bytes.length; at += 7) {
      await new Promise((resolve) => socket.write(bytes.subarray(at, at + 7), resolve));
    }
    assert.ok((await answer).includes(text));
  });

  it('take no more room in many small pieces than in one', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const request = Object.assign(new PassThrough(), { headers: {}, complete: true }) as unknown as IncomingMessage;
    const response = new PassThrough() as unknown as ServerResponse;
    const limits = { bodyBytes: 1_000_000, unansweredBytes: 1_000_000 };
    const reading = new RequestBodies(limits).read('one', request, response);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let piece = 0; piece < 200_000; piece += 1) {
      request.emit('data', Buffer.from('x'));
    }
    collect();
    const grown = process.memoryUsage().heapUsed - before;
    request.emit('end');
    assert.deepEqual(await reading, { text: 'x'.repeat(200_000) });
    assert.ok(grown < 5_000_000, `${grown} bytes`);
  });
});
