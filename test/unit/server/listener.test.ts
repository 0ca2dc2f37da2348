import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NullLogger } from '../../../src/base/log';
import { PorticoError } from '../../../src/base/errors';
import { LocalListener } from '../../../src/server/listener';
import type { ListenerAddress } from '../../../src/server/serverTypes';
import { createTestListener, type TestListener } from './localListener';
import { send } from './socketFetch';

const routes = ['/gateway/x', '/gateway/', '/other', '/'];

describe('listener', () => {
  let test: TestListener;
  let address: ListenerAddress;
  let handled: string[];

  beforeEach(async () => {
    test = createTestListener({ bodyBytes: 1_000, headersMs: 100, requestMs: 200, checkMs: 20 });
    handled = [];
    test.listener.addRoute({
      prefix: '/gateway/',
      methods: ['GET', 'POST', 'DELETE'],
      handle: async ({ request, response, rest, body }) => {
        handled.push(`${request.method} ${rest} ${body ?? ''}`.trim());
        if (rest === 'throws') {
          throw new Error('no');
        }
        response.writeHead(200).end('ok');
      },
    });
    address = await test.listener.start();
  });

  afterEach(() => test.dispose());

  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${test.listener.token}` });

  it('gives a socket that is the person’s alone, and leaves no file behind', () => {
    assert.equal(statSync(test.directory).mode & 0o777, 0o700);
    assert.equal(statSync(test.path).mode & 0o777, 0o600);
    test.listener.dispose();
    assert.equal(existsSync(test.path), false);
    assert.deepEqual(readdirSync(test.directory), []);
  });

  it('starts once for all callers', async () => {
    assert.deepEqual(await Promise.all([test.listener.start(), test.listener.start()]), [address, address]);
  });

  const foreign: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.nip.io:80' },
    { host: 'localhost', origin: 'https://evil.example' },
    { host: 'localhost', origin: 'null' },
    { host: 'localhost', origin: 'http://localhost.evil.example' },
    { host: 'localhost', origin: 'vscode-webview://abc' },
  ];
  for (const headers of foreign) {
    it(`fault 64: ${JSON.stringify(headers)} is refused before any work, on every route and method`, async () => {
      for (const path of routes) {
        for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT']) {
          const answer = await send(address, { method, path, headers: { ...bearer(), ...headers } });
          assert.equal(answer.status, 403, `${method} ${path}`);
        }
      }
      assert.deepEqual(handled, []);
    });
  }

  const own: Record<string, string>[] = [
    { host: 'localhost' },
    { host: 'LOCALHOST:8080' },
    { host: '127.0.0.1:1' },
    { host: '[::1]:4000' },
    { host: 'localhost', origin: 'http://localhost:3000' },
    { host: 'localhost', origin: 'http://[::1]:3000' },
  ];
  for (const headers of own) {
    it(`fault 64: ${JSON.stringify(headers)} passes`, async () => {
      const answer = await send(address, { path: '/gateway/x', body: 'hi', headers: { ...bearer(), ...headers } });
      assert.deepEqual([answer.status, handled], [200, ['POST x hi']]);
    });
  }

  it('asks for the token', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${test.listener.token.slice(0, -1)}`,
      `Bearer ${test.listener.token.slice(0, 8)}`,
      `Bearer  ${test.listener.token}`,
      'Bearer wrong',
      `Basic ${test.listener.token}`,
      `Bearer ${test.listener.token}x`,
    ]) {
      const answer = await send(address, { path: '/gateway/x', headers: authorization ? { authorization } : {} });
      assert.equal(answer.status, 401, authorization);
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }
    assert.deepEqual(handled, []);
  });

  it('takes no token from the URL, nor a second one beside it', async () => {
    for (const path of [`/gateway/x?token=${test.listener.token}`, `/gateway/x?access_token=${test.listener.token}`]) {
      assert.equal((await send(address, { path })).status, 401);
    }
    const answer = await send(address, { path: '/gateway/x', headers: { authorization: `${test.listener.token}` } });
    assert.equal(answer.status, 401);
    assert.deepEqual(handled, []);
  });

  it('answers unknown paths, methods, large bodies and failures as such', async () => {
    const status = async (method: string, path: string, body?: string): Promise<number> =>
      (await send(address, { method, path, headers: bearer(), ...(body === undefined ? {} : { body }) })).status;
    assert.equal(await status('POST', '/gatewayx'), 404);
    assert.equal(await status('PUT', '/gateway/x'), 405);
    assert.equal(await status('POST', '/gateway/x', 'a'.repeat(1_001)), 413);
    assert.equal(await status('POST', '/gateway/throws'), 500);
    assert.equal(await status('GET', '/gateway/a%20b?c=d'), 200);
    assert.deepEqual(handled, ['POST throws', 'GET a%20b']);
  });

  it('stops a body without a length as soon as it is too large', async () => {
    const answer = await send(address, {
      path: '/gateway/x',
      headers: { ...bearer(), 'transfer-encoding': 'chunked' },
      body: 'a'.repeat(5_000),
    });
    assert.equal(answer.status, 413);
  });

  it('does not wait for ever for headers', async () => {
    const socket = connect(test.path);
    await once(socket, 'connect');
    socket.write('POST /gateway/x HTTP/1.1\r\nHost: localhost\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 408/);
    socket.destroy();
  });

  it('does not wait for ever for a body', async () => {
    const socket = connect(test.path);
    await once(socket, 'connect');
    const head = `POST /gateway/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer()['authorization']}\r\n`;
    socket.write(`${head}Content-Length: 500\r\n\r\n{`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 408/);
    socket.destroy();
    assert.deepEqual(handled, []);
  });

  it('serves beside a thousand connections that say nothing, and ends them in time', async () => {
    const idle = await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const socket = connect(test.path);
        await once(socket, 'connect');
        return { socket, ended: new Promise((resolve) => socket.once('close', resolve)) };
      }),
    );
    const answer = await send(address, { path: '/gateway/x', headers: bearer(), body: 'hi' });
    assert.equal(answer.status, 200);
    idle.forEach(({ socket }) => socket.resume());
    await Promise.all(idle.map(({ ended }) => ended));
  });

  it('ends open connections when it is disposed', async () => {
    const socket = connect(test.path);
    await once(socket, 'connect');
    test.listener.dispose();
    await once(socket, 'close');
  });
});

describe('listener and its place', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'ptest-'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const create = (path: string, uid = process.getuid?.()): LocalListener =>
    new LocalListener({ kind: 'socket', path, directory }, { log: new NullLogger(), uid });

  it('removes sockets of dead processes and nothing else', async () => {
    const stale = join(directory, 'stale.sock');
    const script = `require('net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    assert.equal(existsSync(stale), true);
    writeFileSync(join(directory, 'notes.txt'), '');
    const first = create(join(directory, 'first.sock'));
    await first.start();
    const second = create(join(directory, 'second.sock'));
    await second.start();
    assert.deepEqual(readdirSync(directory).sort(), ['first.sock', 'notes.txt', 'second.sock']);
    first.dispose();
    second.dispose();
    assert.deepEqual(readdirSync(directory), ['notes.txt']);
  });

  it('falls back to a loopback port where no socket can be made', async () => {
    const listener = create(join(directory, 'x'.repeat(200), 'a.sock'));
    const address = await listener.start();
    assert.ok(address.kind === 'tcp');
    const authorization = `Bearer ${listener.token}`;
    assert.equal((await send(address, { path: '/', headers: { host: 'evil.example' } })).status, 403);
    const host = `${address.host}:${address.port}`;
    assert.equal((await send(address, { path: '/', headers: { host, authorization } })).status, 404);
    listener.dispose();
    await assert.rejects(send(address, { path: '/' }), { code: 'ECONNREFUSED' });
  });

  it('does not use a directory of another user', async () => {
    const listener = create(join(directory, 'a.sock'), 12_345);
    assert.equal((await listener.start()).kind, 'tcp');
    listener.dispose();
  });

  it('does not start after its end', async () => {
    const listener = create(join(directory, 'a.sock'));
    listener.dispose();
    await assert.rejects(listener.start(), (error) => PorticoError.is(error, 'CANCELLED'));
    assert.deepEqual(readdirSync(directory), []);
  });

  it('leaves nothing when it is disposed while it starts', async () => {
    const listener = create(join(directory, 'a.sock'));
    const started = listener.start();
    listener.dispose();
    await assert.rejects(started, (error) => PorticoError.is(error, 'CANCELLED'));
    assert.deepEqual(readdirSync(directory), []);
  });
});
