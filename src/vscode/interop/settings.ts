import type { LoggingLevel } from '@modelcontextprotocol/client';
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { SourceKind, StartMode } from '../../core/config/configTypes';
import type { NetworkSettings } from '../../core/connections/remote/networkTypes';
import type { ConnectionLimits } from '../../core/connections/connectionTypes';
import { settings } from '../../ids';

const sourceKinds: Readonly<Record<string, SourceKind>> = {
  settings: 'settings',
  '.mcp.json': 'mcpJson',
  '.vscode/mcp.json': 'vscodeMcpJson',
  user: 'userMcpJson',
};

const logLevels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Portico's settings as signals; a value that cannot be what it should be counts as the default. */
export class Settings implements Disposable {
  private readonly store = new DisposableStore();

  readonly start = this.read<StartMode>(settings.start, (value) =>
    value === 'onOpen' || value === 'manual' ? value : 'onDemand',
  );
  readonly sources = this.read<readonly SourceKind[]>(settings.configSources, (value) =>
    (Array.isArray(value) ? value : Object.keys(sourceKinds)).flatMap((name) => sourceKinds[String(name)] ?? []),
  );
  readonly chatPublish = this.read<'perServer' | 'off'>(settings.chatPublish, (value) =>
    value === 'off' ? value : 'perServer',
  );
  readonly brokerTools = this.read<'auto' | 'on' | 'off'>(settings.chatBrokerTools, (value) =>
    value === 'on' || value === 'off' ? value : 'auto',
  );
  readonly elicitationWhere = this.read<'caller' | 'portico'>(settings.elicitationWhere, (value) =>
    value === 'portico' ? value : 'caller',
  );
  /** The servers whose annotations are believed, as `trustName` names them. */
  readonly trustedServers = this.read<readonly string[]>(settings.trustedServers, (value) =>
    Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [],
  );
  /** Where the Client ID Metadata Document is, if anywhere. */
  readonly clientMetadataUrl = this.read(settings.clientMetadataUrl, (value) =>
    typeof value === 'string' && value !== '' ? value : undefined,
  );
  readonly serverLogLevel = this.read<LoggingLevel>(
    settings.serverLogLevel,
    (value) => logLevels.find((level) => level === value) ?? 'info',
  );
  /** Whether the person wants this machine's agents to see the editor. */
  readonly agentsEnabled = this.read(settings.agentsEnabled, (value) => value === true);
  private readonly startMs = this.read(settings.startTimeout, (value) => milliseconds(value, 30));
  private readonly requestMs = this.read(settings.requestTimeout, (value) => milliseconds(value, 60));
  private readonly idleMs = this.read(settings.idleStop, (value) =>
    typeof value === 'number' && value > 0 ? value * 60_000 : 0,
  );
  /** The bounds of connections, as the settings are at the time of asking. */
  readonly limits: ConnectionLimits;

  /** The editor's own settings of the network, read when they are asked for. */
  readonly network: NetworkSettings = {
    get useProxy() {
      return editorHttp<string>('proxySupport', 'override') !== 'off';
    },
    get proxy() {
      return editorHttp('proxy', '');
    },
    get noProxy() {
      return editorHttp<string[]>('noProxy', []);
    },
    get strictProxy() {
      return editorHttp('proxyStrictSSL', true);
    },
    get systemCertificates() {
      return editorHttp('systemCertificates', true);
    },
  };

  constructor() {
    const { start, startMs, requestMs, idleMs } = this;
    this.limits = {
      get startMs() {
        return startMs.peek();
      },
      get requestMs() {
        return requestMs.peek();
      },
      get idleMs() {
        return idleMs.peek();
      },
      get start() {
        return start.peek();
      },
      messageBytes: 64 * 1024 * 1024,
      concurrentStarts: 4,
    };
  }

  dispose(): void {
    this.store.dispose();
  }

  private read<T>(id: string, convert: (value: unknown) => T): ReadonlySignal<T> {
    return readSetting(this.store, id, convert);
  }
}

/** A setting as a signal, until the store is disposed. `convert` takes whatever stands in the settings. */
export function readSetting<T>(store: DisposableStore, id: string, convert: (value: unknown) => T): ReadonlySignal<T> {
  const load = (): T => convert(workspace.getConfiguration().get<unknown>(id));
  const value = signal(load());
  store.add(
    workspace.onDidChangeConfiguration((event) => {
      const next = event.affectsConfiguration(id) ? load() : value.peek();
      if (JSON.stringify(next) !== JSON.stringify(value.peek())) {
        value.value = next;
      }
    }),
  );
  return value;
}

function editorHttp<T>(name: string, fallback: T): T {
  return workspace.getConfiguration('http').get(name) ?? fallback;
}

function milliseconds(value: unknown, fallback: number): number {
  return (typeof value === 'number' && value > 0 ? value : fallback) * 1000;
}
