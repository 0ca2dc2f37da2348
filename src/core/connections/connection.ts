import { setImmediate } from 'node:timers/promises';
import type { CallToolResult, CompleteResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { PorticoError } from '../../base/errors';
import { Emitter, type Event } from '../../base/emitter';
import type { ServerDefinition } from '../config/configTypes';
import type { ConnectionDependencies } from './connectionDependencies';
import { defaultTuning } from './connectionTuning';
import type {
  CachedServer,
  Connection,
  ConnectionState,
  ListKind,
  ReadyInfo,
  RequestOptions,
  ServerLists,
  StartOptions,
} from './connectionTypes';
import { Lifecycle } from './lifecycle';
import { ListRefresh } from './listRefresh';
import type { Session } from './sessionTypes';

const EVERY_KIND: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];
const CAPABILITIES: Readonly<Record<string, 'tools' | 'resources' | 'prompts' | 'completions' | undefined>> = {
  'tools/call': 'tools',
  'resources/read': 'resources',
  'prompts/get': 'prompts',
  'completion/complete': 'completions',
};
/** This revision had completion, but no capability for it. */
const BEFORE_COMPLETIONS = '2024-11-05';
const NEVER_LISTED = { from: 'none', items: [], setAside: [] } as const;

export function createConnection(definition: ServerDefinition, dependencies: ConnectionDependencies): Connection {
  return new ServerConnection(definition, dependencies);
}

/** What a server offers and answers; its life is in `Lifecycle`. The SDK is loaded at the first start. */
class ServerConnection implements Connection {
  readonly onDidUpdateResource: Event<string>;
  readonly loaded: Promise<void>;
  readonly state: ReadonlySignal<ConnectionState>;

  private readonly listed = signal<ServerLists>({
    tools: NEVER_LISTED,
    resources: NEVER_LISTED,
    templates: NEVER_LISTED,
    prompts: NEVER_LISTED,
  });
  private readonly said = signal<ReadyInfo | undefined>(undefined);
  private readonly updates = new Emitter<string>();
  private readonly changes: ListRefresh;
  /** The last write to the cache; a stop waits for it. */
  private caching: Promise<void> = Promise.resolve();
  private readonly life: Lifecycle;

  constructor(
    readonly definition: ServerDefinition,
    private readonly dependencies: ConnectionDependencies,
  ) {
    const tuning = { ...defaultTuning(), ...dependencies.tuning };
    this.onDidUpdateResource = this.updates.event;
    this.changes = new ListRefresh((kinds) => this.relist(kinds), dependencies.clock, tuning.refresh);
    this.life = new Lifecycle(definition, dependencies, tuning, {
      firstLists: (session, stop) => this.list(session, EVERY_KIND, stop),
      listChanged: (kinds) => this.changes.notify(kinds),
      resourceUpdated: (uri) => this.updates.fire(uri),
    });
    this.state = this.life.state;
    this.loaded = this.readCache();
  }

  get lists(): ReadonlySignal<ServerLists> {
    return this.listed;
  }

  get lastInfo(): ReadonlySignal<ReadyInfo | undefined> {
    return this.said;
  }

  private async readCache(): Promise<void> {
    const { cache, log } = this.dependencies;
    try {
      const cached = await cache.read(this.definition.launchDigest);
      // A start may have been faster than the disk.
      if (cached && !this.said.peek()) {
        const { tools, resources, templates, prompts } = cached.lists;
        this.said.value = cached.info;
        this.listed.value = {
          tools: { ...tools, from: 'cache' },
          resources: { ...resources, from: 'cache' },
          templates: { ...templates, from: 'cache' },
          prompts: { ...prompts, from: 'cache' },
        };
      }
    } catch (error) {
      log.warn(`The cached lists could not be read: ${String(error)}`);
    }
  }

  start(options: StartOptions): Promise<void> {
    return this.life.start(options);
  }

  async stop(reason?: PorticoError): Promise<void> {
    await this.life.stop(reason);
    await this.caching;
  }

  async refresh(options: StartOptions): Promise<void> {
    const session = this.life.session;
    if (session) {
      await this.list(session, EVERY_KIND, options.signal);
    } else {
      await this.start(options);
    }
  }

  private async relist(kinds: readonly ListKind[]): Promise<void> {
    const session = this.life.session;
    if (!session) {
      return;
    }
    try {
      await this.list(session, kinds, undefined);
    } catch (error) {
      this.dependencies.log.debug(`Listing after a change failed: ${String(error)}`);
    }
  }

  private async list(session: Session, kinds: readonly ListKind[], stop: AbortSignal | undefined): Promise<void> {
    const { clock, limits, log } = this.dependencies;
    const { readLists } = await import('./lists');
    const lists = await readLists(session, kinds, this.listed.peek(), {
      clock,
      withinMs: Math.min(limits.requestMs, limits.startMs),
      ...(stop === undefined ? {} : { signal: stop }),
    });
    if (session.endReason) {
      throw session.endReason;
    }
    this.said.value = session.info;
    this.listed.value = lists;
    for (const kind of kinds) {
      const { problem, setAside } = lists[kind];
      if (problem) {
        log.warn(`${kind}: ${problem.message}`);
      }
      for (const entry of setAside.slice(0, 20)) {
        log.warn(`${kind}: ${entry.name} was set aside: ${entry.problem.message}`);
      }
    }
    this.caching = this.caching.then(() => this.writeCache({ info: session.info, lists }));
  }

  private async writeCache(known: CachedServer): Promise<void> {
    const { cache, log } = this.dependencies;
    // After whoever waits for the lists: a long one takes a while to become text.
    await setImmediate();
    try {
      await cache.write(this.definition.launchDigest, known);
    } catch (error) {
      log.warn(`The lists could not be cached: ${String(error)}`);
    }
  }

  /** Sends a request; where the server has forgotten the session, once more in a new one. */
  private async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: RequestOptions = {},
  ): Promise<unknown> {
    const session = this.life.session ?? (await this.life.sessionFor(options));
    this.checkOffered(session, method);
    try {
      return await session.request(method, params, options);
    } catch (error) {
      if (!session.isLost(error)) {
        throw error;
      }
      this.life.lost(session, error);
    }
    const renewed = await this.life.sessionFor(options);
    try {
      return await renewed.request(method, params, options);
    } catch (error) {
      if (renewed.isLost(error)) {
        this.life.lost(renewed, error);
        const { key } = this.definition;
        throw new PorticoError(
          'CONNECTION_LOST',
          `"${key}" lost its session twice in a row, so ${method} got no answer. See the server's own log, then try again.`,
          { server: key, cause: error },
        );
      }
      throw error;
    }
  }

  /** What a server does not declare it need not answer (spec: lifecycle, operation). */
  private checkOffered({ info }: Session, method: string): void {
    const capability = CAPABILITIES[method];
    const isUndeclarable = capability === 'completions' && info.protocolVersion === BEFORE_COMPLETIONS;
    if (capability !== undefined && !info.capabilities[capability] && !isUndeclarable) {
      const { key } = this.definition;
      throw new PorticoError('NOT_SUPPORTED', `"${key}" offers no ${capability}, so ${method} was not sent.`, {
        server: key,
      });
    }
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
  ): Promise<CallToolResult> {
    return (await this.request('tools/call', { name, arguments: args }, options)) as CallToolResult;
  }

  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    return (await this.request('resources/read', { uri }, options)) as ReadResourceResult;
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    return (await this.request('prompts/get', { name, arguments: args }, options)) as GetPromptResult;
  }

  async complete(
    ref:
      { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string },
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>> | undefined,
    options?: RequestOptions,
  ): Promise<CompleteResult> {
    const params = { ref, argument, ...(context ? { context: { arguments: context } } : {}) };
    return (await this.request('completion/complete', params, options)) as CompleteResult;
  }

  dispose(): void {
    this.changes.dispose();
    this.life.dispose();
    this.updates.dispose();
  }
}
