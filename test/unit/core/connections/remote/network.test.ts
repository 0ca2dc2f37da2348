import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { PorticoError } from '../../../../../src/base/errors';
import { environmentNetwork, type NetworkSettings } from '../../../../../src/core/connections/remote/networkTypes';
import { NodeFetch } from '../../../../../src/core/connections/remote/nodeFetch';
import { proxyFor } from '../../../../../src/core/connections/remote/proxies';
import { HttpFixture, json } from './httpFixture';
import { type Certificates, makeCertificates, ProxyFixture } from './proxyFixture';

describe('proxyFor', () => {
  const proxy = (url: string, settings: Partial<NetworkSettings>, environment: Record<string, string> = {}) =>
    proxyFor(new URL(url), { ...environmentNetwork, ...settings }, environment);

  it('takes the setting, then the environment by scheme', () => {
    const environment = { HTTPS_PROXY: 'http://s', http_proxy: 'http://h', ALL_PROXY: 'http://a' };
    assert.equal(proxy('https://a.example/', { proxy: 'http://set' }, environment), 'http://set');
    assert.equal(proxy('https://a.example/', {}, environment), 'http://s');
    assert.equal(proxy('http://a.example/', {}, environment), 'http://h');
    assert.equal(proxy('http://a.example/', {}, { ALL_PROXY: 'http://a' }), 'http://a');
    assert.equal(proxy('http://a.example/', {}, {}), undefined);
    assert.equal(proxy('https://a.example/', { useProxy: false, proxy: 'http://set' }, environment), undefined);
  });

  it('never goes to the loopback by a proxy', () => {
    for (const host of ['localhost', 'a.localhost', 'LOCALHOST.', '127.0.0.1', '127.3.2.1', '[::1]']) {
      assert.equal(proxy(`https://${host}/`, { proxy: 'http://p' }), undefined, host);
    }
    assert.equal(proxy('https://localhost.example/', { proxy: 'http://p' }), 'http://p');
  });

  it('knows every way to name an exception', () => {
    const reached = (url: string, exception: string): boolean =>
      proxy(url, { proxy: 'http://p', noProxy: [exception] }) === undefined &&
      proxy(url, { proxy: 'http://p' }, { NO_PROXY: `x.example, ${exception}` }) === undefined;
    assert.equal(reached('https://a.example/', '*'), true);
    assert.equal(reached('https://a.example/', 'a.example'), true);
    assert.equal(reached('https://b.a.example/', '.a.example'), true);
    assert.equal(reached('https://b.a.example/', '*.a.example'), true);
    assert.equal(reached('https://ba.example/', 'a.example'), false);
    assert.equal(reached('https://a.example/', 'A.EXAMPLE:443'), true);
    assert.equal(reached('https://a.example:8443/', 'a.example:443'), false);
    assert.equal(reached('http://10.2.3.4/', '10.0.0.0/8'), true);
    assert.equal(reached('http://11.2.3.4/', '10.0.0.0/8'), false);
    assert.equal(reached('http://[fd00::1]/', 'fd00::/8'), true);
    assert.equal(reached('http://[fd00::1]/', 'fd00::1'), true);
    assert.equal(reached('https://a.example/', ''), false);
  });
});

describe('NodeFetch and the network', () => {
  let certificates: Certificates;
  const ends: (() => unknown)[] = [];
  before(() => {
    certificates = makeCertificates();
  });
  after(() => certificates.dispose());
  afterEach(async () => {
    delete process.env['NODE_EXTRA_CA_CERTS'];
    for (const end of ends.splice(0).reverse()) {
      await end();
    }
  });

  function fetchBy(network: Partial<NetworkSettings>): NodeFetch['fetch'] {
    const http = new NodeFetch({
      server: 'srv',
      messageBytes: 1_000_000,
      network: { ...environmentNetwork, ...network },
    });
    ends.push(() => http.dispose());
    return http.fetch;
  }

  async function secureServer(expired = false): Promise<string> {
    const server = createServer(certificates.serverOptions(expired), (_request, response) =>
      response.end('{"ok":true}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://mcp.test:${(server.address() as AddressInfo).port}/mcp`;
  }

  async function proxyWith(account?: string): Promise<ProxyFixture> {
    const proxy = await ProxyFixture.start(account);
    ends.push(() => proxy.stop());
    return proxy;
  }

  const failure = async (answer: Promise<unknown>): Promise<PorticoError> =>
    answer.then(
      () => assert.fail('it was answered'),
      (error: PorticoError) => error,
    );

  it('fault 37: through a tunnel, with an authority of NODE_EXTRA_CA_CERTS', async () => {
    const url = await secureServer();
    const proxy = await proxyWith('me:p w');
    process.env['NODE_EXTRA_CA_CERTS'] = certificates.ca;
    const fetch = fetchBy({ proxy: `http://me:p%20w@${proxy.origin}` });
    for (let call = 0; call < 2; call += 1) {
      assert.deepEqual(await (await fetch(url, { method: 'POST', body: '{}' })).json(), { ok: true });
    }
    // The tunnel is kept.
    assert.deepEqual(proxy.seen, [{ target: `mcp.test:${new URL(url).port}`, account: 'me:p w' }]);
  });

  it('fault 37: an authority that nobody trusts is said to be the trouble', async () => {
    const url = await secureServer();
    const proxy = await proxyWith();
    const error = await failure(fetchBy({ proxy: proxy.origin })(url));
    assert.equal(error.code, 'CONNECT_FAILED');
    assert.match(error.message, /^Server "srv": the certificate of mcp\.test:\d+ .*not trusted.*NODE_EXTRA_CA_CERTS/);
  });

  it('fault 37: a certificate that has expired is said to have', async () => {
    const url = await secureServer(true);
    const proxy = await proxyWith();
    process.env['NODE_EXTRA_CA_CERTS'] = certificates.ca;
    const error = await failure(fetchBy({ proxy: proxy.origin })(url));
    assert.match(error.message, /has expired \(CERT_HAS_EXPIRED\)/);
  });

  it('plain HTTP goes to the proxy with its whole address', async () => {
    const server = await HttpFixture.start((_seen, response) => json(response, { ok: true }));
    ends.push(() => server.stop());
    const proxy = await proxyWith('me:secret');
    const url = `http://mcp.test:${new URL(server.origin).port}/mcp`;
    const fetch = fetchBy({ proxy: `http://me:secret@${proxy.origin}/` });
    const response = await fetch(url, { method: 'POST', body: '{}', headers: { authorization: 'Bearer t' } });
    assert.deepEqual(await response.json(), { ok: true });
    assert.deepEqual(proxy.seen, [{ target: url, account: 'me:secret' }]);
    assert.equal(server.seen[0]?.headers.authorization, 'Bearer t');
    assert.equal(server.seen[0]?.headers.host, new URL(url).host);
  });

  it('names a proxy that wants a password, that is not there, and that is of another kind', async () => {
    const proxy = await proxyWith('me:secret');
    const url = await secureServer();
    for (const target of [url, url.replace('https', 'http')]) {
      const wants = await failure(fetchBy({ proxy: proxy.origin })(target));
      assert.match(wants.message, /the proxy 127\.0\.0\.1:\d+ wants a name and a password \(HTTP 407\)/);
      const gone = await failure(fetchBy({ proxy: 'http://u:hidden@127.0.0.1:1' })(target));
      assert.match(gone.message, /the proxy 127\.0\.0\.1:1 cannot be used \(ECONNREFUSED\)/);
      assert.doesNotMatch(gone.message, /hidden/);
      const other = await failure(fetchBy({ proxy: 'socks5://127.0.0.1:1080' })(target));
      assert.equal(other.code, 'CONFIG_INVALID');
      assert.match(other.message, /not an http or https address \(socks5:\)/);
    }
  });

  it('waits as long as a refused request is told to, and sends it again', async () => {
    for (const [status, header] of [
      [429, '0.2'],
      [503, '0'],
      [429, new Date(Date.now() - 5_000).toUTCString()],
    ] as const) {
      const server = await HttpFixture.start((_seen, response) => {
        if (server.seen.length === 1) {
          response.writeHead(status, { 'retry-after': header }).end();
        } else {
          json(response, { ok: true });
        }
      });
      ends.push(() => server.stop());
      const response = await fetchBy({})(`${server.origin}/mcp`, { method: 'POST', body: '{"a":1}' });
      assert.deepEqual(await response.json(), { ok: true });
      assert.deepEqual(
        server.seen.map(({ body }) => body),
        ['{"a":1}', '{"a":1}'],
      );
    }
  });

  it('says how long to wait where that is too long, and stops asking after a few times', async () => {
    let header: string | undefined = '120';
    const server = await HttpFixture.start((_seen, response) => {
      response.writeHead(429, header === undefined ? {} : { 'retry-after': header }).end();
    });
    ends.push(() => server.stop());
    const ask = () => failure(fetchBy({})(`${server.origin}/mcp`, { method: 'POST', body: '{}' }));
    const long = await ask();
    assert.equal(long.code, 'RATE_LIMITED');
    assert.match(long.message, /HTTP 429\)\. Try again after 120 s/);
    assert.equal(server.seen.length, 1);
    header = undefined;
    assert.match((await ask()).message, /Try again after a while/);
    assert.equal(server.seen.length, 2);
    header = '0';
    assert.equal((await ask()).code, 'RATE_LIMITED');
    assert.equal(server.seen.length, 5);
  });

  it('a wait ends with the request', async () => {
    const server = await HttpFixture.start((_seen, response) => {
      response.writeHead(503, { 'retry-after': '20' }).end();
    });
    ends.push(() => server.stop());
    const abort = new AbortController();
    const asked = failure(fetchBy({})(`${server.origin}/mcp`, { method: 'POST', body: '{}', signal: abort.signal }));
    while (server.seen.length === 0) {
      await new Promise(setImmediate);
    }
    const reason = new PorticoError('CANCELLED', 'enough');
    abort.abort(reason);
    assert.equal(await asked, reason);
  });
});
