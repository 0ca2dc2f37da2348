import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../../../src/base/clock';
import { NullLogFactory } from '../../../../../src/base/log';
import { type AccountRecord, AccountStore } from '../../../../../src/core/connections/auth/accountStore';
import { FileLock } from '../../../../../src/core/connections/auth/fileLock';
import type { Hub } from '../../../../../src/core/hubTypes';
import { openTestHub, type TestHub } from '../../../../harness/testHub';
import { until } from '../until';
import { FakeAuth, MemorySharedSecrets } from './fakeAuth';

const signal = new AbortController().signal;

describe('sign-ins of several windows', () => {
  let fake: FakeAuth;
  const windows: TestHub[] = [];

  beforeEach(async () => {
    fake = new FakeAuth();
    await fake.listen();
    fake.serveMcp();
  });

  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.close()));
    await fake.close();
  });

  const open = async (): Promise<Hub> => {
    const window = await openTestHub(
      { safe: { url: `${fake.origin}/mcp` } },
      { auth: fake.ports(), implicitConsent: true },
    );
    windows.push(window);
    return window.hub;
  };
  const kindOf = (hub: Hub): string | undefined => hub.server('safe')?.status.value.kind;
  const startRefused = async (hub: Hub): Promise<void> => {
    await hub.start('safe', { interactive: false }).catch(() => undefined);
    equal(kindOf(hub), 'signInRequired');
  };
  const posts = (): number => fake.seen.filter((path) => path === '/mcp').length;

  it('a server that waits for a sign-in starts by itself when another window has signed in', async () => {
    const [here, there, elsewhere] = await Promise.all([open(), open(), open()]);
    await startRefused(here);
    await (await there.auth()).signIn('safe', { signal });
    await until(() => kindOf(here) === 'ready');
    deepEqual(
      here
        .server('safe')
        ?.lists.peek()
        .tools.items.map(({ name }) => name),
      ['whoAmI'],
    );
    // It waited for nothing there, so nothing is started.
    equal(kindOf(elsewhere), 'stopped');
  });

  it('it starts too when the account of before was signed in to anew', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    await (await there.auth()).signIn('safe', { signal });
    fake.serveMcp('newer');
    await startRefused(here);
    fake.paths['/token'] = () => ({ body: { access_token: 'newer', token_type: 'Bearer' } });
    await (await there.auth()).signIn('safe', { signal });
    await until(() => kindOf(here) === 'ready');
  });

  it('it is left alone by what brings it nothing new', async () => {
    const [here, there] = await Promise.all([open(), open()]);
    await (await there.auth()).signIn('safe', { signal });
    fake.serveMcp('newer');
    await startRefused(here);
    const before = posts();
    const [account] = await (await there.auth()).accounts('safe');
    await fake.secrets.set('portico.auth/account/of-another-server', '{}');
    await (await there.auth()).signOut('safe', account?.id ?? '');
    for (let turn = 0; turn < 20; turn += 1) {
      await setImmediate();
    }
    equal(kindOf(here), 'signInRequired');
    equal(posts(), before);
  });

  it('loses no account where several windows note some at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-locks-'));
    try {
      const secrets = new SlowSecrets();
      const log = new NullLogFactory().own;
      const stores = Array.from({ length: 4 }, () => {
        const lock = new FileLock(folder, systemClock);
        return new AccountStore(secrets, 'https://a.example/mcp', lock, log);
      });
      const record = { issuer: 'i', client: { client_id: 'c' }, tokens: { access_token: 't' }, requested: [] };
      const kept = record as unknown as AccountRecord;
      await Promise.all(
        stores.flatMap((store, window) => [
          store.add(`server ${window}`, kept, `first of ${window}`, undefined),
          store.bind(`client ${window}`, `issuer ${window}`),
          store.add(`server ${window}`, kept, `second of ${window}`, undefined),
        ]),
      );
      const [reader] = stores;
      const labels = (await reader?.entries())?.map(({ label }) => label).toSorted();
      deepEqual(
        labels,
        ['first', 'second'].flatMap((turn) => [0, 1, 2, 3].map((window) => `${turn} of ${window}`)),
      );
      for (const window of [0, 1, 2, 3]) {
        equal((await reader?.inUse(`server ${window}`))?.label, `second of ${window}`);
        equal(await reader?.boundIssuer(`client ${window}`), `issuer ${window}`);
      }
      deepEqual(await readdir(folder), []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Takes a moment, as one that asks another process does. */
class SlowSecrets extends MemorySharedSecrets {
  override async get(key: string): Promise<string | undefined> {
    await setImmediate();
    const value = await super.get(key);
    await setImmediate();
    return value;
  }

  override async set(key: string, value: string): Promise<void> {
    await setImmediate();
    await super.set(key, value);
  }
}
