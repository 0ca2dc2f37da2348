import { setImmediate } from 'node:timers/promises';
import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
  Tool,
} from '@modelcontextprotocol/client';
import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import { Emitter, type Event } from '../../base/emitter';
import { isObject } from '../../base/jsonObject';
import { orAborted } from '../../base/orAborted';
import type { ServerDefinition } from '../config/configTypes';
import { SignInRequired } from './auth/signInRequired';
import type { ConnectionDependencies } from './connectionDependencies';
import { defaultTuning } from './connectionTuning';
import type {
  CachedServer,
  Connection,
  ConnectionState,
  ListKind,
  ReadyInfo,
  RequestOptions,
  ServerList,
  ServerLists,
  StartOptions,
} from './connectionTypes';
import { IdleStop } from './idleStop';
import { Lifecycle } from './lifecycle';
import { ListRefresh } from './listRefresh';
import { readAnswer } from './readAnswer';
import type * as mirroredCallModule from './mirroredCall';
import type * as toolResultModule from './readToolResult';
import { isRepeatable, ReplyLost } from './replyLost';
import type { Fields } from './readEntries';
import type { Session, SessionHolder } from './sessionTypes';

const EVERY_KIND: readonly ListKind[] = ['tools', 'resources', 'templates', 'prompts'];
const CAPABILITIES: Readonly<Record<string, 'tools' | 'resources' | 'prompts' | 'completions' | undefined>> = {
  'tools/call': 'tools',
  'resources/read': 'resources',
  'prompts/get': 'prompts',
  'completion/complete': 'completions',
};
/** This revision had completion, but no capability for it. */
const BEFORE_COMPLETIONS = '2024-11-05';
/** A call that takes longer is slow, in milliseconds. */
const SLOW_MS = 10_000;
const NEVER_LISTED = { from: 'none', items: [], setAside: [] } as const;
const NO_LISTS: ServerLists = {
  tools: NEVER_LISTED,
  resources: NEVER_LISTED,
  templates: NEVER_LISTED,
  prompts: NEVER_LISTED,
};

/** `import` is dear even for what has been loaded, and calls are many. */
let toolResults: Promise<typeof toolResultModule> | undefined;
let mirroredCalls: Promise<typeof mirroredCallModule> | undefined;

/** What is sent may depend on the session that it is sent in. */
type Params = Fields | ((session: Session) => Fields);

export function createConnection(
  definition: ServerDefinition,
  dependencies: ConnectionDependencies,
): Connection & SessionHolder {
  return new ServerConnection(definition, dependencies);
}

/** What a server offers and answers; its life is in `Lifecycle`. The SDK is loaded at the first start. */
class ServerConnection implements Connection, SessionHolder {
  readonly onDidUpdateResource: Event<string>;
  readonly loaded: Promise<void>;
  readonly state: ReadonlySignal<ConnectionState>;

  private readonly store = new DisposableStore();
  /** Tools that took long when they were called. */
  private readonly slow = new Set<string>();
  private readonly listed = signal(NO_LISTS);
  private readonly said = signal<ReadyInfo | undefined>(undefined);
  private readonly updates = new Emitter<string>();
  private readonly changes: ListRefresh;
  /** Until when the lists stay as they are, where the server says so; in milliseconds since the epoch. */
  private readonly fresh = new Map<ListKind, number>();
  /** The last write to the cache; a stop waits for it. */
  private caching: Promise<void> = Promise.resolve();
  private readonly life: Lifecycle;
  private readonly idle: IdleStop;

  constructor(
    readonly definition: ServerDefinition,
    private readonly dependencies: ConnectionDependencies,
  ) {
    const tuning = { ...defaultTuning(), ...dependencies.tuning };
    this.onDidUpdateResource = this.updates.event;
    this.changes = new ListRefresh((kinds) => this.relist(kinds), dependencies.clock, tuning.refresh);
    this.life = new Lifecycle(definition, dependencies, tuning, {
      firstLists: (session, stop, withinMs) => this.list(session, EVERY_KIND, stop, withinMs),
      listChanged: (kinds) => this.changes.notify(kinds),
      resourceUpdated: (uri) => this.updates.fire(uri),
    });
    this.state = this.life.state;
    const { clock, limits, wanted, log } = dependencies;
    this.idle = this.store.add(
      new IdleStop(
        clock,
        () => limits.idleMs ?? 0,
        () => wanted.uris.peek().size > 0,
        () => {
          log.info('Nothing has used it for a while; it starts again at its next use.');
          this.stop().catch((error: unknown) => log.error('The server could not be ended.', error));
        },
      ),
    );
    this.store.defer(
      effect(() => {
        if (this.state.value.kind === 'ready') {
          this.idle.begin();
        } else {
          this.idle.dispose();
        }
      }),
    );
    this.loaded = this.readCache();
  }

  get lists(): ReadonlySignal<ServerLists> {
    return this.listed;
  }

  get lastInfo(): ReadonlySignal<ReadyInfo | undefined> {
    return this.said;
  }

  hold(): Disposable {
    return this.idle.hold();
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
          tools: asCached(tools),
          resources: asCached(resources),
          templates: asCached(templates),
          prompts: asCached(prompts),
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

  freshen(): void {
    if (this.fresh.size === 0) {
      return;
    }
    const { clock } = this.dependencies;
    const stale = EVERY_KIND.filter((kind) => (this.fresh.get(kind) ?? Infinity) <= clock.now());
    if (stale.length > 0 && this.life.session) {
      // Those that fail to come are not asked for again before the server runs anew or says that they changed.
      stale.forEach((kind) => this.fresh.delete(kind));
      void this.relist(stale);
    }
  }

  async forgetLists(): Promise<void> {
    await this.loaded;
    const info = this.said.peek();
    this.fresh.clear();
    this.listed.value = NO_LISTS;
    if (info) {
      this.caching = this.caching.then(() => this.writeCache({ info, lists: NO_LISTS }));
      await this.caching;
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
      if (error instanceof SignInRequired) {
        this.life.refused(session, error);
      } else {
        this.dependencies.log.debug(`Listing after a change failed: ${String(error)}`);
      }
    }
  }

  private async list(
    session: Session,
    kinds: readonly ListKind[],
    stop: AbortSignal | undefined,
    withinMs = Infinity,
  ): Promise<void> {
    const { clock, limits, log } = this.dependencies;
    const { readLists } = await import('./lists');
    // What another version of the server listed says nothing about this one.
    const known = (): ServerLists => (isSameServer(this.said.peek(), session.info) ? this.listed.peek() : NO_LISTS);
    const found = await readLists(session, kinds, known(), {
      clock,
      withinMs: Math.min(limits.requestMs, limits.startMs, withinMs),
      onFresh: (kind, until) => this.fresh.set(kind, until),
      ...(stop === undefined ? {} : { signal: stop }),
    });
    if (session.endReason) {
      throw session.endReason;
    }
    // Meanwhile other kinds may have been listed.
    const before = known();
    const lists = { ...before, ...found };
    const refused = kinds.map((kind) => lists[kind].problem).find((problem) => problem?.code === 'UNAUTHORIZED');
    if (refused && kinds.every((kind) => isRefused(lists[kind]))) {
      throw new SignInRequired(refused.message, this.definition.key, false);
    }
    if (this.said.peek() === session.info && EVERY_KIND.every((kind) => lists[kind] === before[kind])) {
      return;
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

  get session(): Session | undefined {
    return this.life.session;
  }

  lost(session: Session, error: unknown): void {
    this.life.lost(session, error);
  }

  /** Sends a request; once more where that is worth it. */
  private async request(method: string, toParams: Params, options: RequestOptions = {}): Promise<unknown> {
    this.freshen();
    const use = this.idle.hold();
    try {
      const session = this.life.session ?? (await this.life.sessionFor(options));
      this.checkOffered(session, method);
      const params = paramsFor(session, toParams);
      try {
        return await this.requestIn(session, method, params, options);
      } catch (error) {
        return error instanceof SignInRequired
          ? await this.sendSignedIn(session, error, () => this.requestIn(session, method, params, options), options)
          : await this.sendAgain(error, session, params, method, toParams, options);
      }
    } finally {
      use.dispose();
    }
  }

  /**
   * In a new session where the server has forgotten this one and so refused the request undone, or where its reply got lost
   * and doing it twice does no harm; otherwise it has failed.
   */
  private async sendAgain(
    failure: unknown,
    session: Session,
    params: Fields,
    method: string,
    toParams: Params,
    options: RequestOptions,
  ): Promise<unknown> {
    if (session.isLost(failure)) {
      this.life.lost(session, failure);
    } else if (failure instanceof ReplyLost && isRepeatable(method, params, this.listed.peek().tools.items)) {
      this.dependencies.log.info(`${method} is sent once more: ${failure.message}`);
      if (session.endReason) {
        await session.ended;
      }
    } else {
      throw failure;
    }
    const renewed = await this.life.sessionFor(options);
    try {
      return await this.requestIn(renewed, method, paramsFor(renewed, toParams), options);
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

  /** The server refused for want of a sign-in, and so did nothing: sent once more where a person is there to sign in. */
  private async sendSignedIn(
    session: Session,
    refusal: SignInRequired,
    again: () => Promise<unknown>,
    { interactive = false, signal = new AbortController().signal }: RequestOptions,
  ): Promise<unknown> {
    const { auth } = this.dependencies;
    try {
      if (!interactive || !auth) {
        throw refusal;
      }
      await orAborted((await auth()).signInToUse(this.definition, signal), signal, 'The sign-in');
      return await again();
    } catch (error) {
      if (!refusal.keepsSession) {
        this.life.refused(session, error instanceof SignInRequired ? error : refusal);
      }
      throw error;
    }
  }

  private requestIn(session: Session, method: string, params: Fields, options: RequestOptions): Promise<unknown> {
    return method === 'tools/call' && session.mirrorsParameters
      ? this.callMirrored(session, params, options)
      : session.request(method, params, options);
  }

  private async callMirrored(session: Session, params: Fields, options: RequestOptions): Promise<unknown> {
    const { callMirrored } = await (mirroredCalls ??= import('./mirroredCall'));
    return callMirrored(session, params, options, {
      get: (name) => this.toolNamed(name),
      renew: () => this.relist(['tools']),
    });
  }

  private toolNamed(name: unknown): Tool | undefined {
    return this.listed.peek().tools.items.find((tool) => tool.name === name);
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
    options: RequestOptions = {},
  ): Promise<CallToolResult> {
    const { tasks, clock } = this.dependencies;
    const plain = { name, arguments: args };
    let sent: { readonly params: Fields; readonly session: Session; readonly at: number } | undefined;
    const toParams = (session: Session): Fields => {
      const how = { inBackground: options.inBackground ?? false, isSlow: this.slow.has(name) };
      const task = tasks && session.taskParam(() => this.toolNamed(name), how);
      const params = task ? { ...plain, task } : plain;
      sent = { params, session, at: clock.now() };
      return params;
    };
    try {
      const result = await this.request('tools/call', toParams, options);
      if (tasks && sent && isTask(result, sent.params['task'] !== undefined)) {
        const { session } = sent;
        return await tasks.follow({ server: this.definition.id, tool: name, session, created: result }, options);
      }
      const { readToolResult } = await (toolResults ??= import('./readToolResult'));
      return readToolResult(result, this.definition.key);
    } finally {
      if (sent && clock.now() - sent.at > SLOW_MS) {
        this.slow.add(name);
      }
    }
  }

  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    const result = await this.request('resources/read', { uri }, options);
    return readAnswer(result, ['contents'], 'resources/read', this.definition.key);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    const result = await this.request('prompts/get', { name, arguments: args }, options);
    return readAnswer(result, ['messages'], 'prompts/get', this.definition.key);
  }

  async complete(
    ref:
      { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string },
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>> | undefined,
    options?: RequestOptions,
  ): Promise<CompleteResult> {
    const params = { ref, argument, ...(context ? { context: { arguments: context } } : {}) };
    const result = await this.request('completion/complete', params, options);
    return readAnswer(result, ['completion', 'values'], 'completion/complete', this.definition.key);
  }

  dispose(): void {
    this.store.dispose();
    this.changes.dispose();
    this.life.dispose();
    this.updates.dispose();
  }
}

function paramsFor(session: Session, params: Params): Fields {
  return typeof params === 'function' ? params(session) : params;
}

/** Whether the answer to a call is a task: of itself in the stateless era, where it was wanted as one in the other. */
function isTask(result: unknown, wanted: boolean): result is Fields {
  return isObject(result) && (result['resultType'] === 'task' || (wanted && isObject(result['task'])));
}

function isSameServer(before: ReadyInfo | undefined, { serverInfo }: ReadyInfo): boolean {
  return before?.serverInfo.name === serverInfo.name && before.serverInfo.version === serverInfo.version;
}

/** What has not been listed since the account changed is no more listed for having been kept. */
function asCached<T>(list: ServerList<T>): ServerList<T> {
  return list.from === 'none' ? list : { ...list, from: 'cache' };
}

/** Nothing was listed for want of a sign-in, or because there is nothing to list. */
function isRefused({ items, problem }: ServerList<unknown>): boolean {
  return problem ? problem.code === 'UNAUTHORIZED' : items.length === 0;
}
