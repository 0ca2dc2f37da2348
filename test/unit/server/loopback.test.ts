import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ClientTokens, newToken } from '../../../src/server/clientTokens';
import type { LoopbackAddress } from '../../../src/server/serverTypes';
import { createTestListener, type TestListener } from './localListener';
import { send } from './socketFetch';

describe('listener on a loopback port', () => {
  const tests: TestListener[] = [];
  const tokens = new ClientTokens();
  const token = newToken();
  tokens.add({ id: 'codex', label: 'Codex' }, token);
  const listens = (limits = {}): TestListener => {
    const test = createTestListener(limits, tokens);
    test.listener.addRoute({
      prefix: '/who',
      methods: ['POST'],
      handle: async ({ response, client }) => {
        response.writeHead(200).end(client.id);
      },
    });
    tests.push(test);
    return test;
  };
  afterEach(() => tests.splice(0).forEach((test) => test.dispose()));

  const ask = (address: LoopbackAddress, headers: Record<string, string> = {}, method = 'POST', path = '/who') =>
    send(address, {
      method,
      path,
      headers: { host: `127.0.0.1:${address.port}`, authorization: `Bearer ${token}`, ...headers },
    });

  it('is there only when asked for, and gone at once', async () => {
    const { listener, urls } = listens();
    await listener.start();
    assert.deepEqual(urls(), []);
    const address = await listener.startLoopback();
    assert.deepEqual(urls(), [`http://127.0.0.1:${address.port}`]);
    assert.deepEqual(await listener.startLoopback(1), address);
    assert.equal((await ask(address)).text, 'codex');
    assert.equal((await ask(address, { authorization: `Bearer ${listener.token}` })).text, 'editor');
    await listener.stopLoopback();
    assert.deepEqual(urls(), []);
    await assert.rejects(ask(address), { code: 'ECONNREFUSED' });
    assert.equal((await ask(await listener.startLoopback(address.port))).text, 'codex');
  });

  it('fault 63: the preferred port is a hint; the address told is the true one', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const first = listens().listener;
    const second = listens().listener;
    const addresses = [await first.startLoopback(port), await second.startLoopback(port)];
    await new Promise((resolve) => other.close(resolve));
    assert.equal(new Set([port, ...addresses.map((address) => address.port)]).size, 3);
    for (const address of addresses) {
      assert.equal((await ask(address)).status, 200);
    }
    // What one window lets in by its own token does not get into another.
    const [, away] = addresses;
    assert.ok(away);
    assert.equal((await ask(away, { authorization: `Bearer ${first.token}` })).status, 401);
  });

  it('fault 63: a port that is not allowed is passed over, and one is free again after each of ten reloads', async () => {
    if (process.getuid?.() !== 0) {
      assert.notEqual((await listens().listener.startLoopback(1)).port, 1);
    }
    const { port } = await listens().listener.startLoopback();
    for (let reload = 0; reload < 10; reload += 1) {
      tests.splice(0).forEach((test) => test.dispose());
      const address = await listens().listener.startLoopback(port);
      assert.equal(address.port, port);
      assert.equal((await ask(address)).status, 200);
    }
  });

  it('fault 64: only its own address is served, by every method and path', async () => {
    const address = await listens().listener.startLoopback();
    const own = `127.0.0.1:${address.port}`;
    const other = address.port === 65_535 ? 1 : address.port + 1;
    const foreign: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: `evil.example:${address.port}` },
      { host: `127.0.0.1:${other}` },
      { host: 'localhost' },
      { host: `localhost:${address.port}.evil.example` },
      { host: own, origin: 'https://evil.example' },
      { host: own, origin: `http://evil.example:${address.port}` },
      { host: own, origin: 'null' },
      { host: own, origin: '' },
      { host: own, origin: `http://localhost:${other}` },
      { host: own, origin: 'file://' },
    ];
    for (const headers of foreign) {
      for (const path of ['/who', '/', '/unknown']) {
        for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT']) {
          const answer = await ask(address, headers, method, path);
          assert.equal(answer.status, 403, `${JSON.stringify(headers)} ${method} ${path}`);
          assert.deepEqual(
            Object.keys(answer.headers).filter((name) => name.startsWith('access-control')),
            [],
          );
        }
      }
    }
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      const host = `${name}:${address.port}`;
      assert.equal((await ask(address, { host })).status, 200, host);
      assert.equal((await ask(address, { host, origin: `http://${host}` })).status, 200, host);
    }
  });

  it('fault 64: nobody gets there from another interface', async () => {
    const address = await listens().listener.startLoopback();
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((it) => it !== undefined && !it.internal && it.family === 'IPv4');
    for (const { address: host } of others as { address: string }[]) {
      await assert.rejects(send({ ...address, host: host as '127.0.0.1' }, { path: '/who' }), { code: 'ECONNREFUSED' });
    }
  });

  it('holds back a client that asks too often, and no other', async () => {
    const { listener } = listens({ burst: 3, perSecond: 0.001 });
    const address = await listener.startLoopback();
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await ask(address)).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    assert.ok(Number((await ask(address)).headers['retry-after']) >= 1);
    assert.equal((await ask(address, { authorization: `Bearer ${listener.token}` })).status, 200);
  });

  it('lets nobody in by a token that was revoked or replaced', async () => {
    const address = await listens().listener.startLoopback();
    const old = newToken();
    const next = newToken();
    tokens.add({ id: 'goose', label: 'Goose' }, old);
    const who = async (given: string): Promise<string | number> => {
      const answer = await ask(address, { authorization: `Bearer ${given}` });
      return answer.status === 200 ? answer.text : answer.status;
    };
    assert.equal(await who(old), 'goose');
    tokens.add({ id: 'goose', label: 'Goose' }, next);
    assert.deepEqual([await who(old), await who(next)], [401, 'goose']);
    tokens.revoke('goose');
    assert.equal(await who(next), 401);
    assert.match(next, /^[\w-]{43}$/);
  });
});
