import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { environmentNetwork } from '../../../../../src/core/connections/remote/networkTypes';
import { ProxyFixture } from '../remote/proxyFixture';
import { FakeAuth } from './fakeAuth';

const PATH_FORM = '/.well-known/oauth-protected-resource/mcp';
const ROOT_FORM = '/.well-known/oauth-protected-resource';
const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

describe('ServerAuth', () => {
  let fake: FakeAuth;

  beforeEach(async () => {
    fake = new FakeAuth();
    await fake.listen();
  });

  afterEach(() => fake.close());

  const challenge = (text: string) => {
    fake.paths['/mcp'] = () => ({ status: 401, headers: { 'www-authenticate': text } });
  };
  const wellKnown = () => fake.seen.filter((path) => path.includes('well-known') || path.startsWith('/elsewhere'));

  describe('fault 48: metadata discovery', () => {
    it('asks the path form after a bare 401', async () => {
      await fake.signIn();
      deepEqual(wellKnown(), [PATH_FORM, OAUTH]);
    });

    it('asks the root where the path form is missing', async () => {
      delete fake.paths[PATH_FORM];
      fake.paths[ROOT_FORM] = () => ({ body: fake.resource() });
      await fake.signIn();
      deepEqual(wellKnown(), [PATH_FORM, ROOT_FORM, OAUTH]);
    });

    for (const [kind, address] of [
      ['absolute', (origin: string) => `${origin}/elsewhere`],
      ['relative', () => '/elsewhere'],
    ] as const) {
      it(`takes the header's ${kind} address first`, async () => {
        challenge(`Basic realm="x", Bearer error="invalid_token", resource_metadata="${address(fake.origin)}"`);
        fake.paths['/elsewhere'] = () => ({ body: fake.resource() });
        await fake.signIn();
        deepEqual(wellKnown(), ['/elsewhere', OAUTH]);
      });
    }

    it('goes on after an address in the header that is missing, elsewhere, or about another server', async () => {
      for (const address of ['/gone', 'http://127.0.0.1:1/none', `${fake.origin}/foreign`, 'not an address']) {
        fake.paths['/foreign'] = () => ({ body: { ...fake.resource(), resource: 'https://other.example/mcp' } });
        challenge(`Bearer resource_metadata="${address}"`);
        await fake.signIn();
      }
      equal(fake.pages.length, 4);
    });

    it('reads OpenID metadata, inserted and appended', async () => {
      const tenant = `${fake.origin}/tenant`;
      fake.paths[PATH_FORM] = () => ({ body: fake.resource({ authorization_servers: [tenant] }) });
      const openid = {
        ...fake.metadata({ issuer: tenant }),
        jwks_uri: `${tenant}/jwks`,
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      };
      fake.paths[`/tenant${OPENID}`] = () => ({ body: openid });
      await fake.signIn();
      deepEqual(wellKnown(), [PATH_FORM, `${OAUTH}/tenant`, `${OPENID}/tenant`, `/tenant${OPENID}`]);
      fake.paths[`${OPENID}/tenant`] = () => ({ body: openid });
      await fake.signIn();
      equal(fake.pages.length, 2);
    });

    it('names the addresses that were tried', async () => {
      delete fake.paths[OAUTH];
      await rejects(fake.signIn(), (error: Error) => {
        match(error.message, /oauth-authorization-server \(HTTP 404\), .*openid-configuration \(HTTP 404\)/);
        return true;
      });
    });

    it('refuses metadata about another server', async () => {
      fake.paths[PATH_FORM] = () => ({ body: fake.resource({ resource: 'https://other.example/mcp' }) });
      await rejects(fake.signIn(), { code: 'AUTH_FAILED', message: /other\.example/ });
    });
  });

  describe('fault 49: registration not offered', () => {
    beforeEach(() => {
      fake.paths[OAUTH] = () => ({ body: fake.metadata({ registration_endpoint: undefined }) });
    });

    it('uses the client id of the entry', async () => {
      await fake.signIn({ clientId: 'mine' });
      equal(fake.pages[0]?.get('client_id'), 'mine');
    });

    it('says how to give one where there is none', async () => {
      await rejects(fake.signIn(), { code: 'AUTH_FAILED', message: /"auth": \{"clientId"/ });
    });

    it('registers once more where the server has forgotten the client, and not a third time', async () => {
      fake.paths[OAUTH] = () => ({ body: fake.metadata() });
      await fake.signIn();
      fake.paths['/token'] = () => ({ status: 401, body: { error: 'invalid_client' } });
      await rejects(fake.signIn(), { code: 'AUTH_FAILED', message: /does not know the client/ });
      equal(fake.seen.filter((path) => path === '/register').length, 2);
    });
  });

  describe('fault 51: issuer comparison', () => {
    it('lets a slash at the end pass either way', async () => {
      fake.paths[OAUTH] = () => ({ body: fake.metadata({ issuer: `${fake.origin}/` }) });
      await fake.signIn();
      fake.paths[PATH_FORM] = () => ({ body: fake.resource({ authorization_servers: [`${fake.origin}/`] }) });
      fake.paths[OAUTH] = () => ({ body: fake.metadata() });
      await fake.signIn();
      equal(fake.pages.length, 2);
    });

    it('refuses another issuer, and names both', async () => {
      fake.paths[OAUTH] = () => ({ body: fake.metadata({ issuer: 'https://evil.example' }) });
      await rejects(fake.signIn(), (error: Error) => {
        match(error.message, /127\.0\.0\.1/);
        match(error.message, /evil\.example/);
        return true;
      });
      equal(fake.pages.length, 0);
    });

    it('refuses an answer that names another issuer before the code is redeemed', async () => {
      for (const iss of ['https://evil.example', `${fake.origin}/`]) {
        fake.comesBack = { code: 'good', iss };
        await rejects(fake.signIn(), { code: 'AUTH_FAILED' });
      }
      equal(fake.seen.includes('/token'), false);
    });

    it('refuses an answer with the state of another sign-in', async () => {
      fake.comesBack = { code: 'good', state: 'other' };
      await rejects(fake.signIn(), { code: 'AUTH_FAILED', message: /another sign-in/ });
      equal(fake.seen.includes('/token'), false);
    });
  });

  describe('fault 52: scopes', () => {
    it('asks for none where nobody names any', async () => {
      await fake.signIn();
      equal(fake.pages[0]?.has('scope'), false);
    });

    it('takes those of the metadata, and those of the challenge before', async () => {
      fake.paths[PATH_FORM] = () => ({ body: fake.resource({ scopes_supported: ['a', 'b'] }) });
      await fake.signIn();
      challenge('Bearer scope="c"');
      await fake.signIn({ scopes: ['d'] });
      deepEqual(
        fake.pages.map((page) => page.get('scope')),
        ['a b', 'c d'],
      );
    });

    it('asks once for what a 403 wants, with what was had, and then says so', async () => {
      challenge('Bearer scope="a"');
      const auth = fake.auth();
      await auth.signIn(new AbortController().signal);
      fake.paths['/mcp'] = () => ({
        status: 403,
        headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="b"' },
      });
      await rejects(fake.request(auth), { code: 'UNAUTHORIZED', message: /more permission for this: b/ });
      await auth.signInToUse(new AbortController().signal);
      equal(fake.pages[1]?.get('scope'), 'a b');
      await rejects(fake.request(auth), { code: 'ACCESS_DENIED', message: /after it was given/ });
      await rejects(auth.signInToUse(new AbortController().signal), { code: 'ACCESS_DENIED' });
      equal(fake.pages.length, 2);
    });
  });

  it('refuses an authorization server without PKCE', async () => {
    for (const methods of [undefined, ['plain']]) {
      fake.paths[OAUTH] = () => ({ body: fake.metadata({ code_challenge_methods_supported: methods }) });
      await rejects(fake.signIn(), { code: 'AUTH_FAILED', message: /PKCE/ });
    }
    equal(fake.pages.length, 0);
  });

  it('opens and calls no address that is not https or on this computer', async () => {
    const bad = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'http://example.com/x',
      '--flag',
      'https://a.example/\nx',
    ];
    for (const address of bad) {
      for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
        fake.paths[OAUTH] = () => ({ body: fake.metadata({ [endpoint]: address }) });
        await rejects(fake.signIn(), { code: 'AUTH_FAILED' });
      }
    }
    equal(fake.pages.length, 0);
  });

  describe('credentials of the entry', () => {
    const credentials = { grant: 'clientCredentials', clientId: 'me', clientSecret: 'secret' } as const;
    const toCheck = { code: 'AUTH_FAILED', message: /^(?!.*Sign.In).*Check "clientId"/ };

    it('that bring a token the server refuses are to be checked in the entry', async () => {
      fake.paths['/mcp'] = () => ({ status: 401 });
      await rejects(fake.request(fake.auth(credentials)), toCheck);
    });

    it('that the authorization server refuses are to be checked in the entry', async () => {
      fake.paths['/token'] = () => ({ status: 401, body: { error: 'invalid_client' } });
      await rejects(fake.request(fake.auth(credentials)), toCheck);
    });

    it('are not replaced by a person who signs in', async () => {
      await rejects(fake.signIn(credentials), toCheck);
      equal(fake.pages.length, 0);
    });
  });

  it('says that the header of the entry is refused, which a sign-in does not mend', async () => {
    const auth = fake.auth({}, { headers: { authorization: 'Bearer old' } });
    await rejects(fake.request(auth), { code: 'ACCESS_DENIED', message: /"Authorization" header of its entry/ });
    await rejects(auth.signInToUse(new AbortController().signal), {
      code: 'UNAUTHORIZED',
      message: /Correct the entry/,
    });
  });

  it('goes by the proxy of the settings', async () => {
    const proxy = await ProxyFixture.start('name:password');
    try {
      const network = { ...environmentNetwork, proxy: `http://${proxy.origin}` };
      await rejects(fake.auth({}, { url: 'https://mcp.test/mcp', network }).ask(), { code: 'CONNECT_FAILED' });
      deepEqual(
        proxy.seen.map(({ target }) => target),
        ['mcp.test:443'],
      );
    } finally {
      await proxy.stop();
    }
  });

  it('sends the token to the server alone', async () => {
    const auth = fake.auth();
    await auth.signIn(new AbortController().signal);
    const sent: (string | null)[] = [];
    const fetch = auth.wrap(async (_, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return new Response('{}');
    });
    await fetch(`${fake.origin}/other`);
    await fetch('https://elsewhere.example/mcp');
    deepEqual(sent, ['Bearer token', null]);
  });
});
