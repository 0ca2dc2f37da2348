import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signal } from '@preact/signals-core';
import { systemClock } from '../../src/base/clock';
import { NullLogFactory } from '../../src/base/log';
import { MemoryStore } from '../../src/base/storage';
import { nodeConfigFiles } from '../../src/core/config/nodeConfigFiles';
import { FileListCache } from '../../src/core/connections/fileListCache';
import { createHub } from '../../src/core/hub';
import type { Hub } from '../../src/core/hubTypes';

/** A hub of the named entries, as the user's settings would give them. */
export async function openHub(
  servers: Readonly<Record<string, object>>,
): Promise<{ readonly hub: Hub; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  const hub = createHub({
    inputs: {
      folders: signal([]),
      settings: signal([{ scope: 'user', value: servers }]),
      sources: signal(['settings']),
    },
    files: nodeConfigFiles,
    variables: {
      env: (name) => process.env[name],
      config: () => undefined,
      input: () => Promise.reject(new Error('no inputs here')),
    },
    roots: { rootsFor: () => signal([]) },
    consentUi: { ask: async () => new Map() },
    approvalUi: { ask: async () => undefined },
    workspaceState: new MemoryStore(),
    globalState: new MemoryStore(),
    cache: new FileListCache(join(folder, 'cache')),
    logs: new NullLogFactory(),
    clock: systemClock,
    limits: { startMs: 60_000, requestMs: 60_000, messageBytes: 64 * 1024 * 1024, concurrentStarts: 4 },
    clientInfo: { name: 'portico-bench', version: '1.0.0' },
    trusted: signal(true),
    implicitConsent: true,
  });
  await hub.ready;
  return {
    hub,
    close: async () => {
      await hub.shutdown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
