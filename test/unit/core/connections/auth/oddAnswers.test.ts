import { deepEqual, equal, rejects } from 'node:assert/strict';
import { type Clock, systemClock } from '../../../../../src/base/clock';
import type { PorticoError } from '../../../../../src/base/errors';
import { FakeAuth } from './fakeAuth';

/** Answers of authorization servers that are no such answers: what people read names who sent them, and none of their text. */
describe('odd answers of an authorization server', () => {
  const credentials = { grant: 'clientCredentials', clientId: 'me', clientSecret: 'secret' } as const;
  let fake: FakeAuth;

  beforeEach(async () => {
    fake = new FakeAuth();
    await fake.listen();
  });

  afterEach(() => fake.close());

  const host = (): string => fake.origin.replace('http://', '');
  const failure = async (act: Promise<unknown>): Promise<string> => {
    let found: PorticoError | undefined;
    await rejects(act, (error: PorticoError) => {
      found = error;
      return true;
    });
    return `${found?.code}: ${found?.message.replaceAll(host(), 'HOST')}`;
  };
  /** What a sign-in in person and one by credentials say alike. */
  const both = async (): Promise<string> => {
    const said = await failure(fake.signIn());
    equal(await failure(fake.request(fake.auth(credentials))), said);
    return said;
  };
  const token = { access_token: 'token', token_type: 'Bearer' };

  for (const [kind, access_token] of [
    ['a line break', 'token\r\nX-Evil: 1'],
    ['a letter outside of ASCII', 'tokén'],
    ['a space', 'to ken'],
    ['nothing', ''],
  ] as const) {
    it(`a token with ${kind} is not taken, and not shown`, async () => {
      fake.paths['/token'] = () => ({ body: { ...token, access_token } });
      equal(
        await both(),
        'AUTH_FAILED: Server "s": HOST sent a token with characters that none may have. It is not used. Tell those who run HOST.',
      );
    });
  }

  for (const [kind, answer, what] of [
    ['a web page', { text: '<html>no</html>', headers: { 'content-type': 'text/html' } }, 'a web page'],
    ['no JSON', { text: 'access_token=token' }, 'something that is no JSON object'],
    ['an array', { body: [token] }, 'something that is no JSON object'],
    ['nothing at all', { text: '' }, 'nothing'],
    ['no token', { body: { token_type: 'Bearer' } }, 'JSON that has no "access_token"'],
    ['a token that is no text', { body: { ...token, access_token: { a: 1 } } }, 'JSON that has no "access_token"'],
    ['no type of the token', { body: { access_token: 'token' } }, 'JSON that has no "token_type"'],
    ['a page and 502', { status: 502, text: '<html>no</html>' }, 'HTTP 502 and no reason'],
    ['JSON of its own and 400', { status: 400, body: { detail: 'no' } }, 'HTTP 400 and no reason'],
  ] as const) {
    it(`to a request for a token with ${kind} is said to be no such answer`, async () => {
      fake.paths['/token'] = () => answer;
      equal(
        await both(),
        `AUTH_FAILED: Server "s": HOST answered a request for a token with ${what}. Tell those who run HOST.`,
      );
    });
  }

  it('a renewal says the same, and that nobody is signed out', async () => {
    fake.paths['/token'] = () => ({ body: { ...token, access_token: 'old', refresh_token: 'again' } });
    const auth = fake.auth();
    await auth.signIn(new AbortController().signal);
    for (const access_token of [undefined, 'new\ntoken']) {
      fake.paths['/token'] = () => ({ body: { ...token, access_token } });
      equal(
        await failure(fake.request(auth)),
        `CONNECT_FAILED: Server "s": its sign-in could not be renewed at http://HOST: HOST ${
          access_token === undefined
            ? 'answered a request for a token with JSON that has no "access_token".'
            : 'sent a token with characters that none may have. It is not used.'
        } Tell those who run HOST. You stay signed in; try again later.`,
      );
    }
  });

  it('members beside the token that cannot be read are as if they were not there', async () => {
    for (const [expires_in, isKnown] of [
      ['soon', false],
      ['', false],
      [null, false],
      [{}, false],
      ['3600', true],
      [3600, true],
    ] as const) {
      fake.paths['/token'] = () => ({
        body: { ...token, expires_in, scope: null, refresh_token: null, id_token: 7 },
      });
      const auth = fake.auth();
      await auth.signIn(new AbortController().signal);
      const kept = await auth.keptAccount();
      deepEqual(
        [expires_in, kept?.record.expiresAt !== undefined, kept?.record.tokens.scope],
        [expires_in, isKnown, undefined],
      );
      equal(await fake.request(fake.auth({ ...credentials })), 200);
    }
  });

  it('the reason that it gives is kept, with a good status too', async () => {
    for (const status of [400, 200]) {
      fake.paths['/token'] = () => ({ status, body: { error: 'invalid_scope', error_description: 'No such scope' } });
      equal(
        await failure(fake.signIn()),
        'AUTH_FAILED: Server "s": its authorization server refused (invalid_scope): No such scope. Diagnose Sign-In shows the steps.',
      );
    }
  });

  it('a registration that names no client, or none of what it registered', async () => {
    for (const [answer, what] of [
      [{ text: '<html>no</html>' }, 'a web page'],
      [{ status: 201, body: { redirect_uris: [] } }, 'JSON that has no "client_id"'],
      [{ status: 201, body: { client_id: 'new', redirect_uris: 'none' } }, 'JSON whose "redirect_uris" cannot be read'],
    ] as const) {
      fake.paths['/register'] = () => answer;
      equal(
        await failure(fake.signIn()),
        `AUTH_FAILED: Server "s": HOST answered the registration of Portico with ${what}. Tell those who run HOST.`,
      );
    }
  });

  it('a refused registration says its reason, and no page or JSON', async () => {
    for (const [answer, why] of [
      [{ text: '<html>no</html>' }, ''],
      [{ body: { error: 'invalid_client_name', error_description: 'Not\nthis one.' } }, ': Not this one'],
      [{ body: { error: 'invalid_client_name' } }, ': invalid_client_name'],
      [{ body: { detail: 'no' } }, ''],
    ] as const) {
      fake.paths['/register'] = () => ({ status: 403, ...answer });
      equal(
        await failure(fake.signIn()),
        `AUTH_FAILED: Server "s": its authorization server refused to register Portico (HTTP 403)${why}. Diagnose Sign-In shows the steps.`,
      );
    }
  });

  it('a status that there is none of', async () => {
    fake.paths['/token'] = () => ({ status: 999 });
    equal(
      await failure(fake.signIn()),
      'CONNECT_FAILED: Server "s": HOST answered with the HTTP status 999, which does not exist. Tell those who run it.',
    );
  });

  /** Time that is short, so that a test need not wait; what was waited for is kept. */
  const hasty = (waits: number[]): Clock => ({
    ...systemClock,
    after: (ms, run) => {
      waits.push(ms);
      return systemClock.after(ms / 50, run);
    },
  });

  it('a document that never ends is not waited for, and nothing more is asked of who sends it', async () => {
    const resource = '/.well-known/oauth-protected-resource/mcp';
    const endless = { text: '', isEndless: true };
    const waits: number[] = [];
    fake.paths[resource] = () => endless;
    const auth = fake.auth(credentials, { clock: hasty(waits) });
    equal(
      await failure(fake.request(auth)),
      `CONNECT_FAILED: Server "s": who signs in to it could not be found out, because not everybody answered. Tried: http://HOST${resource} (Server "s": HOST did not finish answering within 5 s. Try again, or look at the network.). Try again later.`,
    );
    deepEqual(fake.seen, ['/mcp', resource]);
    deepEqual(waits, [5_000]);
    fake.paths[resource] = () => ({ body: fake.resource() });
    fake.paths['/.well-known/oauth-authorization-server'] = () => endless;
    equal((await failure(fake.request(auth))).includes('HOST did not finish answering within 5 s.'), true);
    deepEqual(fake.seen.slice(2), ['/mcp', resource, '/.well-known/oauth-authorization-server']);
  });

  it('a document is not waited for longer than whoever wants it', async () => {
    const stop = new AbortController();
    fake.paths['/.well-known/oauth-protected-resource/mcp'] = () => {
      stop.abort(new Error('It is over.'));
      return { text: '', isEndless: true };
    };
    await rejects(fake.request(fake.auth(credentials), stop.signal), { message: 'It is over.' });
    deepEqual(fake.seen, ['/mcp', '/.well-known/oauth-protected-resource/mcp']);
  });

  it('of an identity provider, where its metadata is none', async () => {
    const settings = {
      clientId: 'me',
      clientSecret: 'secret',
      identityProvider: { issuer: `${fake.origin}/idp`, clientId: 'me', idToken: 'id' },
    };
    fake.paths['/.well-known/oauth-authorization-server/idp'] = () => ({ text: '<html>no</html>' });
    equal(
      await failure(fake.request(fake.auth(settings))),
      'AUTH_FAILED: Server "s": HOST answered a request for its metadata with a web page. Tell those who run HOST.',
    );
    fake.paths['/.well-known/oauth-authorization-server/idp'] = () => ({ body: { issuer: 7 } });
    equal(
      await failure(fake.request(fake.auth(settings))),
      'AUTH_FAILED: Server "s": its authorization server sent something that cannot be read ("issuer"). Check "clientId", the secret or key, and "scopes" in "auth" of its entry.',
    );
  });

  it('a kept token that cannot be sent is as if nobody had signed in', async () => {
    const auth = fake.auth();
    await auth.signIn(new AbortController().signal);
    const [entry] = await auth.store.entries();
    const record = entry && (await auth.store.read(entry));
    await auth.store.update(entry!, { ...record!, tokens: { ...record!.tokens, access_token: 'to\nken' } });
    equal(
      await failure(fake.request(fake.auth())),
      'UNAUTHORIZED: Server "s" wants you to sign in. Choose Sign In… on its row.',
    );
  });

  it('a header of the entry that cannot be sent is not shown by who asks for the sign-in either', async () => {
    const said = await failure(fake.auth({}, { headers: { 'x-key': 'se\ncret' } }).ask());
    equal(
      said,
      'CONFIG_INVALID: Server "s": the header "x-key" has a line break or another character in its value that HTTP does not allow. Correct "headers" in its entry.',
    );
  });

  it('scopes, methods and names of any length are shown as plain text, in short', async () => {
    const odd = `a\u009b31m${'b'.repeat(5_000)}`;
    const short = `a${'b'.repeat(199)}…`;
    const idToken = `x.${Buffer.from(JSON.stringify({ email: odd })).toString('base64url')}.x`;
    fake.paths['/token'] = () => ({ body: { ...token, id_token: idToken } });
    const auth = fake.auth();
    await auth.signIn(new AbortController().signal);
    equal((await auth.store.entries())[0]?.label, `a${'b'.repeat(99)}…`);
    fake.paths['/mcp'] = () => ({
      status: 403,
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${odd}"` },
    });
    equal(
      await failure(fake.request(auth)),
      `UNAUTHORIZED: Server "s" wants more permission for this: ${short}. Choose Sign In… on its row to give it.`,
    );
    fake.paths['/.well-known/oauth-authorization-server'] = () => ({
      body: fake.metadata({ code_challenge_methods_supported: [odd] }),
    });
    equal(
      await failure(fake.signIn()),
      `AUTH_FAILED: Server "s": its authorization server http://HOST supports PKCE by ${short} alone, and not by S256. Without it a code on its way back could be stolen, so nobody is sent there. Tell those who run it.`,
    );
  });
});
