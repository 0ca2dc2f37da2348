import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signal } from '@preact/signals-core';
import type { Hub } from '../../src/core/hubTypes';
import type { CallOptions } from '../../src/core/policy/policyTypes';
import { openTestHub, type TestHub } from '../harness/testHub';
import { Browser } from './authServer/browser';
import { Identity } from './authServer/identity';
import { ProtectedServer } from './authServer/protectedServer';
import { ScenarioSecrets } from './conformanceClient/scenarioSecrets';

const SERVER = 'vault';
const byHand: CallOptions = { caller: { kind: 'manual', label: 'test' } };
const byModel: CallOptions = { caller: { kind: 'chat', label: 'test' } };

describe('auth: oidc-provider', () => {
  let identity: Identity;
  let server: ProtectedServer;
  let folder: string;
  let windows: TestHub[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-locks-'));
    server = await ProtectedServer.listen(
      () => identity.issuer,
      (token, resource) => identity.scopesOf(token, resource),
    );
    identity = await Identity.listen(() => server.url);
  });

  afterEach(async () => {
    await Promise.all(windows.map((window) => window.close()));
    windows = [];
    await Promise.all([identity.close(), server.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(browser: Browser, secrets = new ScenarioSecrets()): Promise<Hub> {
    const window = await openTestHub(
      { [SERVER]: { type: 'http', url: server.url } },
      {
        auth: { secrets, ui: browser, clientMetadataUrl: signal(undefined), lockFolder: folder },
        implicitConsent: true,
      },
    );
    windows.push(window);
    return window.hub;
  }

  const call = (hub: Hub, name: string, how: CallOptions = byHand) => hub.callTool({ server: SERVER, name }, {}, how);
  const posted = (path: string) => identity.seen.filter((seen) => seen === path).length;

  it('asks nobody in a background start, and signs in where a person starts it', async () => {
    const browser = new Browser();
    const hub = await open(browser);
    await rejects(hub.start(SERVER, { interactive: false }), { code: 'UNAUTHORIZED' });
    equal(hub.server(SERVER)?.status.peek().kind, 'signInRequired');
    equal(browser.pages.length, 0);

    await hub.start(SERVER, { interactive: true });
    equal(hub.server(SERVER)?.status.peek().kind, 'ready');
    const [page] = browser.pages;
    equal(page?.searchParams.get('code_challenge_method'), 'S256');
    equal(page?.searchParams.get('resource'), server.url);
    equal(page?.searchParams.get('scope'), 'mcp:read offline_access');
    equal(posted('/reg'), 1);
    deepEqual(
      await (await hub.auth()).accounts(SERVER).then((all) => all.map(({ issuer, inUse }) => [issuer, inUse])),
      [[identity.issuer, true]],
    );
  });

  it('starts again with what was kept, and nobody is asked', async () => {
    const browser = new Browser();
    const secrets = new ScenarioSecrets();
    await (await open(browser, secrets)).start(SERVER, { interactive: true });
    await (await open(browser, secrets)).start(SERVER, { interactive: false });
    equal(browser.pages.length, 1);
  });

  it('asks once for more permission, for all that it had and what is wanted', async () => {
    const browser = new Browser();
    const hub = await open(browser);
    await hub.start(SERVER, { interactive: true });
    equal((await call(hub, 'write')).isError, undefined);
    equal(browser.pages.length, 2);
    deepEqual(browser.pages[1]?.searchParams.get('scope')?.split(' ').sort(), [
      'mcp:read',
      'mcp:write',
      'offline_access',
    ]);
    await call(hub, 'write');
    equal(browser.pages.length, 2);
  });

  it('renews a refused token, and rotates what renews it', async () => {
    const browser = new Browser();
    const hub = await open(browser);
    await hub.start(SERVER, { interactive: true });
    for (let round = 0; round < 3; round += 1) {
      const before = server.tokens.at(-1) ?? '';
      server.refused.add(before);
      await call(hub, 'read', byModel);
      notEqual(server.tokens.at(-1), before);
    }
    equal(browser.pages.length, 1);
  });

  it('renews once for many calls at once in two windows', async () => {
    const browser = new Browser();
    const secrets = new ScenarioSecrets();
    const hubs = [await open(browser, secrets), await open(browser, secrets)];
    for (const hub of hubs) {
      await hub.start(SERVER, { interactive: true });
    }
    const before = posted('/token');
    server.refused.add(server.tokens.at(-1) ?? '');
    await Promise.all(hubs.flatMap((hub) => [1, 2, 3, 4].map(() => call(hub, 'read'))));
    equal(posted('/token') - before, 1);
    equal(browser.pages.length, 1);
  });

  it('stays signed in while the authorization server is away', async () => {
    const browser = new Browser();
    const hub = await open(browser);
    await hub.start(SERVER, { interactive: true });
    server.refused.add(server.tokens.at(-1) ?? '');
    identity.isDown = true;
    await rejects(call(hub, 'read'), { code: 'CONNECT_FAILED' });
    equal((await (await hub.auth()).accounts(SERVER)).length, 1);
    identity.isDown = false;
    equal((await call(hub, 'read')).isError, undefined);
    equal(browser.pages.length, 1);
  });

  it('says that a sign-in is wanted once it was revoked elsewhere, and goes on after the next', async () => {
    const browser = new Browser();
    const hub = await open(browser);
    await hub.start(SERVER, { interactive: true });
    const token = await identity.provider.AccessToken.find(server.tokens.at(-1) ?? '');
    await identity.provider.AccessToken.revokeByGrantId(token?.grantId ?? '');
    await identity.provider.RefreshToken.revokeByGrantId(token?.grantId ?? '');
    await rejects(call(hub, 'read', byModel), { code: 'UNAUTHORIZED' });
    equal(hub.server(SERVER)?.status.peek().kind, 'signInRequired');
    await (await hub.auth()).signIn(SERVER, { signal: new AbortController().signal });
    equal(hub.server(SERVER)?.status.peek().kind, 'ready');
    equal((await (await hub.auth()).accounts(SERVER)).length, 1);
  });

  it('keeps several accounts, uses the chosen one, and revokes what is signed out', async () => {
    const browser = new Browser();
    const hub = await open(browser);
    await hub.start(SERVER, { interactive: true });
    const auth = await hub.auth();
    await auth.signIn(SERVER, { signal: new AbortController().signal, newAccount: true });
    const [first, second] = await auth.accounts(SERVER);
    deepEqual([first?.label, first?.inUse, second?.label, second?.inUse], ['Account 1', false, 'Account 2', true]);
    await call(hub, 'read');
    const used = server.tokens.at(-1) ?? '';
    await auth.useAccount(SERVER, first?.id ?? '');
    await call(hub, 'read');
    notEqual(server.tokens.at(-1), used);
    await auth.signOut(SERVER);
    equal((await auth.accounts(SERVER)).length, 0);
    equal(posted('/token/revocation'), 2);
    equal(hub.server(SERVER)?.status.peek().kind, 'signInRequired');
  });

  it('walks the steps and changes nothing', async () => {
    const browser = new Browser();
    const hub = await open(browser);
    const steps: string[] = [];
    const auth = await hub.auth();
    await auth.diagnose(
      SERVER,
      ({ title, outcome }) => steps.push(`${title}: ${outcome}`),
      new AbortController().signal,
    );
    deepEqual(steps, [
      'Reach the server: ok',
      'The server’s challenge: ok',
      'Metadata of the server: ok',
      'Metadata of the authorization server: ok',
      'Issuer: ok',
      'PKCE: ok',
      'Registration of Portico: ok',
      'Scopes: ok',
      'Account: skipped',
    ]);
    deepEqual(identity.seen, []);
  });
});
