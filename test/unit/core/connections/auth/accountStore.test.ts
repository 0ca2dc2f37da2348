import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../../src/base/clock';
import { NullLogFactory } from '../../../../../src/base/log';
import { AccountStore } from '../../../../../src/core/connections/auth/accountStore';
import { FileLock } from '../../../../../src/core/connections/auth/fileLock';
import { MemorySharedSecrets } from './fakeAuth';

describe('the store of accounts', () => {
  it('keeps client ids of any name, those too that every object has something under', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-locks-'));
    try {
      const lock = new FileLock(folder, systemClock);
      const log = new NullLogFactory().own;
      const store = new AccountStore(new MemorySharedSecrets(), 'https://a.example/mcp', lock, log);
      for (const clientId of ['constructor', '__proto__', 'plain']) {
        const before = await store.boundIssuer(clientId);
        await store.bind(clientId, 'https://issuer.example');
        deepEqual(
          [clientId, before, await store.boundIssuer(clientId)],
          [clientId, undefined, 'https://issuer.example'],
        );
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
