import assert from 'node:assert/strict';
import { FakeAuth } from '../core/connections/auth/fakeAuth';
import { type CliResult, CliUnderTest } from './cliRun';

describe('cli: servers that want a sign-in', function () {
  this.timeout(60_000);
  let cli: CliUnderTest;
  let fake: FakeAuth;
  before(async () => {
    cli = await CliUnderTest.build();
  });
  after(() => cli?.dispose());
  beforeEach(async () => {
    fake = new FakeAuth();
    await fake.listen();
    fake.serveMcp();
    fake.paths['/.well-known/oauth-authorization-server'] = () => ({
      body: fake.metadata({
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      }),
    });
    fake.paths['/token'] = (body, { authorization }) =>
      body.get('grant_type') === 'client_credentials' &&
      authorization === `Basic ${Buffer.from('machine:secret').toString('base64')}`
        ? { body: { access_token: 'token', token_type: 'Bearer' } }
        : { status: 401, body: { error: 'invalid_client', error_description: 'nobody \u001b[31m knows you' } };
  });
  afterEach(() => fake.close());

  const run = async (auth: object | undefined, ...args: string[]): Promise<CliResult> =>
    cli.run('--config', await cli.config({ safe: { url: `${fake.origin}/mcp`, ...(auth && { auth }) } }), ...args);
  const credentials = { grant: 'clientCredentials', clientId: 'machine', clientSecret: 'secret' };

  it('are signed in to by the credentials of their entry', async () => {
    const { code, stdout, stderr } = await run(credentials, '--json', 'call', 'safe', 'whoAmI');
    assert.deepEqual([JSON.parse(stdout), stderr, code], [{ content: [{ type: 'text', text: 'somebody' }] }, '', 0]);
    assert.equal(fake.seen.filter((path) => path === '/token').length, 1);
  });

  it('list their tools and their state in the same way', async () => {
    const { code, stdout } = await run(credentials, '--json', 'servers');
    const [server] = JSON.parse(stdout) as { state: string; counts: { tools: number } }[];
    assert.deepEqual([server?.state, server?.counts.tools, code], ['ready', 1, 0]);
  });

  it('say what to check where the credentials are refused, without repeating the secret', async () => {
    const { code, stderr } = await run({ ...credentials, clientSecret: 'wrong-one' }, 'call', 'safe', 'whoAmI');
    assert.match(
      stderr,
      /^safe: AUTH_FAILED: .*\(invalid_client\): nobody knows you\. Check "clientId", the secret or key/,
    );
    assert.doesNotMatch(stderr, /wrong-one/);
    assert.equal(code, 1);
  });

  it('send their secret to no other authorization server than that of the entry', async () => {
    const auth = { ...credentials, issuer: 'https://login.example' };
    const { code, stderr } = await run(auth, 'call', 'safe', 'whoAmI');
    assert.match(stderr, /^safe: AUTH_FAILED: /);
    assert.deepEqual([code, fake.seen.includes('/token')], [1, false]);
  });

  for (const [what, auth] of [
    ['no "auth"', undefined],
    ['a client for people', { clientId: 'portico' }],
  ] as const) {
    for (const [command, ...operands] of [['call', 'safe', 'whoAmI'], ['tools']]) {
      it(`that have ${what} are for the editor (${command})`, async () => {
        const { code, stderr } = await run(auth, String(command), ...operands);
        assert.match(stderr, /^safe: UNAUTHORIZED: Server "safe" wants you to sign in\. Nobody can sign in on the /);
        assert.match(stderr, /use the server in the editor, and sign in there/);
        assert.equal(code, 1);
      });
    }
  }
});
