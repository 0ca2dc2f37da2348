import { systemClock } from '../../../../src/base/clock';
import type { Logger } from '../../../../src/base/log';
import { Limiter } from '../../../../src/base/sequencer';
import { MemoryStore } from '../../../../src/base/storage';
import type { Launch, ResolvedLaunch, ServerDefinition } from '../../../../src/core/config/configTypes';
import { createConnection } from '../../../../src/core/connections/connection';
import type { ConnectionDependencies } from '../../../../src/core/connections/connectionDependencies';
import { type ConnectionTuning, defaultTuning } from '../../../../src/core/connections/connectionTuning';
import type { CachedServer, Connection, ListCache } from '../../../../src/core/connections/connectionTypes';
import { StoredEraMemory } from '../../../../src/core/connections/eraMemory';
import { RestartPolicy } from '../../../../src/core/connections/restartPolicy';
import { WantedResources } from '../../../../src/core/connections/wantedResources';
import { WireTrace } from './until';

export class MemoryListCache implements ListCache {
  readonly values = new Map<string, CachedServer>();
  async read(digest: string): Promise<CachedServer | undefined> {
    return this.values.get(digest);
  }
  async write(digest: string, value: CachedServer): Promise<void> {
    this.values.set(digest, value);
  }
}

/** Keeps what was logged. */
export class FakeLogger implements Logger {
  readonly lines: string[] = [];
  trace = (message: string): void => void this.lines.push(message);
  debug = (message: string): void => void this.lines.push(message);
  info = (message: string): void => void this.lines.push(message);
  warn = (message: string): void => void this.lines.push(message);
  error = (message: string): void => void this.lines.push(message);
}

export function definitionOf(launch: Launch, more: Partial<ServerDefinition> = {}): ServerDefinition {
  return {
    id: 'srv',
    key: 'srv',
    source: { id: 'test', kind: 'settings', scope: 'user', label: 'test' },
    owner: 'portico',
    launch,
    disabled: false,
    self: false,
    inputs: [],
    consentDigest: JSON.stringify(launch),
    launchDigest: JSON.stringify(launch),
    ...more,
  };
}

type StdioLaunch = Extract<Launch, { type: 'stdio' }>;

/** A program of this project's fixtures, or any script, run by this Node. */
export function script(path: string, ...args: string[]): StdioLaunch {
  return { type: 'stdio', command: process.execPath, args: [path, ...args], env: {} };
}

export const fixture = (name: string, ...args: string[]): StdioLaunch =>
  script(`test/fixtures/servers/${name}`, ...args);

export async function resolveLaunch({ launch }: ServerDefinition): Promise<ResolvedLaunch> {
  if (launch.type !== 'stdio') {
    return launch;
  }
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...process.env, ...launch.env })) {
    if (typeof value === 'string') {
      env[name] = value;
    }
  }
  return { type: 'stdio', command: launch.command, args: launch.args, cwd: launch.cwd, env };
}

export interface TestOptions {
  readonly definition?: Partial<ServerDefinition>;
  readonly tuning?: Partial<ConnectionTuning>;
  readonly limits?: Partial<ConnectionDependencies['limits']>;
  readonly dependencies?: Partial<ConnectionDependencies>;
}

export interface TestConnection {
  readonly connection: ReturnType<typeof createConnection>;
  readonly log: FakeLogger;
  readonly cache: MemoryListCache;
  readonly eras: StoredEraMemory;
}

const open = new Set<Connection>();

/** A connection with short times; `stopAll` ends every one that a test has made. */
export function connectionTo(launch: Launch, options: TestOptions = {}): TestConnection {
  const log = new FakeLogger();
  const cache = new MemoryListCache();
  const eras = new StoredEraMemory(new MemoryStore());
  const connection = createConnection(definitionOf(launch, options.definition), {
    resolve: resolveLaunch,
    gate: { allow: async () => undefined },
    features: [],
    cache,
    eras,
    wanted: new WantedResources(),
    limits: {
      startMs: 15_000,
      requestMs: 5_000,
      messageBytes: 64 * 1_048_576,
      concurrentStarts: 4,
      ...options.limits,
    },
    starts: new Limiter(4),
    log,
    clock: systemClock,
    clientInfo: { name: 'portico-test', version: '0' },
    tuning: {
      ...defaultTuning(),
      graces: { stdinMs: 150, terminateMs: 500 },
      restarts: RestartPolicy.of(180_000, 20, 50, 100),
      loginEnvironment: async () => undefined,
      ...options.tuning,
    },
    ...options.dependencies,
  });
  open.add(connection);
  return { connection, log, cache, eras };
}

/** For a suite: connections to fixtures that write down what they receive, for each test anew and ended after it. */
export function tracedConnections() {
  const wire = new WireTrace();
  afterEach(async () => {
    await stopAll();
    wire.clear();
  });
  after(() => wire.dispose());
  const traced = (name: string, args: readonly string[] = [], options?: TestOptions): TestConnection =>
    connectionTo({ ...fixture(name, ...args), env: wire.env }, options);
  return { wire, traced };
}

export async function stopAll(): Promise<void> {
  await Promise.all([...open].map((connection) => connection.stop()));
  for (const connection of open) {
    connection.dispose();
  }
  open.clear();
}
