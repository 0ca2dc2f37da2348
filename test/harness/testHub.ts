import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Signal, signal } from '@preact/signals-core';
import { systemClock } from '../../src/base/clock';
import { NullLogFactory } from '../../src/base/log';
import { MemoryStore } from '../../src/base/storage';
import type { SettingsLayer, SourceScope } from '../../src/core/config/configTypes';
import { nodeConfigFiles } from '../../src/core/config/nodeConfigFiles';
import { FileListCache } from '../../src/core/connections/fileListCache';
import { createHub, type HubDependencies } from '../../src/core/hub';
import type { Hub } from '../../src/core/hubTypes';

export interface TestHub {
  readonly hub: Hub;
  /** The layers of `portico.servers`; set it to edit the configuration. */
  readonly settings: Signal<readonly SettingsLayer[]>;
  /** Ends every server and lets go of the folder, where it was made here. */
  close(): Promise<void>;
}

export const layer = (value: unknown, scope: SourceScope = 'user'): SettingsLayer => ({ scope, value });

/** A hub with these entries in the user's settings and nobody to ask. `folder` keeps the list cache from one hub to the next. */
export async function openTestHub(
  servers: Readonly<Record<string, object>>,
  options: Partial<HubDependencies> & { readonly folder?: string } = {},
): Promise<TestHub> {
  const { folder = mkdtempSync(join(tmpdir(), 'portico-hub-')), ...overrides } = options;
  const settings = signal<readonly SettingsLayer[]>([layer(servers)]);
  const hub = createHub({
    inputs: { folders: signal([]), settings, sources: signal(['settings']) },
    files: nodeConfigFiles,
    variables: {
      env: (name) => process.env[name],
      config: () => undefined,
      input: () => Promise.reject(new Error('nobody to ask')),
    },
    roots: { rootsFor: async () => signal([]) },
    consentUi: { ask: async () => new Map() },
    approvalUi: { ask: async () => undefined },
    elicitationUi: { ask: async () => ({ action: 'decline' }) },
    workspaceState: new MemoryStore(),
    globalState: new MemoryStore(),
    cache: new FileListCache(join(folder, 'lists')),
    logs: new NullLogFactory(),
    clock: systemClock,
    limits: { startMs: 30_000, requestMs: 60_000, messageBytes: 64 * 1024 * 1024, concurrentStarts: 4 },
    clientInfo: { name: 'portico-test', version: '1.0.0' },
    trusted: signal(true),
    ...overrides,
  });
  await hub.ready;
  return {
    hub,
    settings,
    close: async () => {
      await hub.shutdown();
      if (options.folder === undefined) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
