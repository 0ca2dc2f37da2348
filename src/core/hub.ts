import type { Implementation, LoggingLevel } from '@modelcontextprotocol/client';
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core';
import type { Clock } from '../base/clock';
import { DisposableStore } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { PorticoError } from '../base/errors';
import type { LogFactory, Logger } from '../base/log';
import { Limiter } from '../base/sequencer';
import type { KeyValueStore } from '../base/storage';
import { createCatalog } from './catalog/catalog';
import type { ElicitationUi, RootsSource } from './clientFeatures/clientFeatureTypes';
import type { SamplingSource } from './clientFeatures/samplingTypes';
import { elicitationFeature } from './clientFeatures/elicitation';
import { rootsFeature } from './clientFeatures/roots';
import { createSampling } from './clientFeatures/sampling';
import type { Authority, AuthorityDependencies } from './connections/auth/authority';
import type { AuthPorts } from './connections/auth/authTypes';
import { createConfigService, type OwnPrograms } from './config/configService';
import type { ConfigFiles, ConfigInputs, ServerDefinition, VariableSource } from './config/configTypes';
import { createConnection } from './connections/connection';
import type { Trees } from './connections/treeTypes';
import type { ConnectionLimits, ListCache, StartOptions } from './connections/connectionTypes';
import { StoredEraMemory } from './connections/eraMemory';
import type { NetworkSettings } from './connections/remote/networkTypes';
import { serverLimits } from './connections/serverLimits';
import type { WantedResources } from './connections/wantedResources';
import type { Hub, ResourceUpdate, ServerView } from './hubTypes';
import { createHubTasks } from './hubTasks';
import { ManagedServer } from './managedServer';
import { createPolicy } from './policy/policy';
import type { ApprovalUi, Caller, ConsentUi } from './policy/policyTypes';
import { createStartGate } from './policy/startGate';
import { Validators } from './policy/validators';

export interface HubDependencies {
  readonly inputs: ConfigInputs;
  readonly files: ConfigFiles;
  readonly variables: VariableSource;
  readonly roots: RootsSource;
  readonly consentUi: ConsentUi;
  readonly approvalUi: ApprovalUi;
  readonly elicitationUi: ElicitationUi;
  /** Models for servers that ask for them; the capability is not declared without. */
  readonly sampling?: SamplingSource;
  /** Signing in to servers over HTTP; those that want it fail with UNAUTHORIZED without. */
  readonly auth?: AuthPorts;
  /** What belongs to this workspace: consent to run its servers. */
  readonly workspaceState: KeyValueStore;
  /** What belongs to the person: lasting approvals, eras. */
  readonly globalState: KeyValueStore;
  readonly cache: ListCache;
  /** Where the call log is kept; in memory alone when absent. */
  readonly logFolder?: string;
  readonly logs: LogFactory;
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  /** Where running processes are recorded, so that those of a window that was killed are ended; nowhere when absent. */
  readonly processFolder?: string;
  /** How requests leave this machine; by the environment alone when absent. */
  readonly network?: NetworkSettings;
  /** How important what servers write into their logs must be; left to them when absent. */
  readonly logLevel?: ReadonlySignal<LoggingLevel>;
  readonly clientInfo: Implementation;
  readonly own?: OwnPrograms;
  /** Workspace trust: in Restricted Mode nothing from the workspace starts. */
  readonly trusted: ReadonlySignal<boolean>;
  /** The CLI: naming the file is the consent. */
  readonly implicitConsent?: boolean;
}

/** Wires config, connections, catalog and policy into the one thing that editor, gateway and CLI see. */
export function createHub(dependencies: HubDependencies): Hub {
  const { clock, logs, limits } = dependencies;
  const store = new DisposableStore();
  const { inputs, files, variables, own } = dependencies;
  const config = store.add(createConfigService(inputs, files, variables, own && { own }));
  const servers = signal<readonly ManagedServer[]>([]);
  const updates = store.add(new Emitter<ResourceUpdate>());
  const starts = new Limiter(limits.concurrentStarts);
  const eras = new StoredEraMemory(dependencies.globalState);
  const closing = new Set<Promise<void>>();
  /** Servers whose entries are gone, by their keys: settles once their processes are gone too. */
  const leaving = new Map<string, Promise<unknown>>();
  const { processFolder } = dependencies;
  const trees = processFolder === undefined ? undefined : recordTrees(processFolder, clock, logs.own);

  const catalog = createCatalog(
    computed(() => servers.value.map(({ id, definition, lists }) => ({ id, key: definition.key, lists }))),
  );
  const find = (id: string): ManagedServer | undefined => servers.peek().find((server) => server.id === id);
  const need = (id: string): ManagedServer => {
    const server = find(id);
    if (!server) {
      throw new PorticoError('SERVER_UNKNOWN', `There is no server "${id}". Check its name in the list of servers.`, {
        server: id,
      });
    }
    return server;
  };

  const policy = store.add(
    createPolicy({
      catalog,
      definitionOf: (id) => find(id)?.definition,
      upstream: (ref, args, options) => {
        const connection = need(ref.server).connection();
        return connection instanceof Promise
          ? connection.then((ready) => ready.callTool(ref.name, args, options))
          : connection.callTool(ref.name, args, options);
      },
      ensureListed: async (id, { interactive = false, signal }) =>
        (await need(id).connection()).start({ interactive, urgent: true, forUse: true, ...(signal ? { signal } : {}) }),
      approvalUi: dependencies.approvalUi,
      state: dependencies.globalState,
      consentState: dependencies.workspaceState,
      implicitConsent: dependencies.implicitConsent ?? false,
      clock,
      log: logs.own,
      ...(dependencies.logFolder === undefined ? {} : { storageDir: dependencies.logFolder }),
    }),
  );
  const tasks = createHubTasks({
    state: dependencies.workspaceState,
    clock,
    log: logs.own,
    server: (id) => servers.value.find((server) => server.id === id),
    start: async (id) => (await need(id).connection()).start({ interactive: false }),
    callOf: (id) => policy.callLog.records.peek().find((record) => record.id === id),
    resumeCall: (call, outcome) => policy.resumeCall(call, outcome),
  });
  /** A person looks at a server: what goes on there may have been begun elsewhere. */
  const looked = (id: string, { interactive }: StartOptions): void => {
    if (interactive) {
      tasks
        .look(id)
        .catch((error: unknown) => logs.own.warn(`The tasks of ${id} could not be listed: ${String(error)}`));
    }
  };
  const gate = createStartGate({
    consent: policy.consent,
    consentUi: dependencies.consentUi,
    trusted: dependencies.trusted,
    clock,
  });
  const validators = new Validators(logs.own);
  const { features: samplingFeatures, ...sampling } = createSampling({
    source: dependencies.sampling,
    state: dependencies.globalState,
    logs,
    clock,
  });
  const features = [
    rootsFeature(dependencies.roots),
    elicitationFeature(
      dependencies.elicitationUi,
      async (schema, value, what) =>
        (await validators.checkFor(schema, 'input', what))(value, (skipped) =>
          logs.own.warn(`Of ${what}, this was not checked: ${skipped}.`),
        ),
      logs,
    ),
    ...samplingFeatures,
    tasks.feature,
  ];

  const authority = lazyAuthority(dependencies, store, {
    resolve: (launched, interactive) => config.resolve(launched, interactive),
    definitionOf: (id) => need(id).definition,
    allow: (definition, signal) => gate.allow(definition, { interactive: true, signal }),
    restart: async (id, signedIn) => need(id).signInChanged(signedIn),
    signedInElsewhere: async (id) => {
      const server = find(id);
      if (server?.status.peek().kind === 'signInRequired') {
        await server.signInChanged(true);
      }
    },
  });

  const connect = (definition: ServerDefinition, wanted: WantedResources, latest: () => ServerDefinition) =>
    createConnection(definition, {
      resolve: (launched, interactive) => config.resolve(launched, interactive),
      gate,
      features,
      cache: dependencies.cache,
      eras,
      wanted,
      ...(dependencies.logLevel ? { logLevel: dependencies.logLevel } : {}),
      limits: serverLimits(limits, latest),
      ...(dependencies.network ? { network: dependencies.network } : {}),
      ...(trees ? { trees } : {}),
      starts,
      tasks: tasks.desk,
      ...(authority ? { auth: authority } : {}),
      log: logs.forServer(definition.key),
      clock,
      clientInfo: dependencies.clientInfo,
    });

  const track = (work: Promise<void>): Promise<void> => {
    const settled = work
      .catch((error: unknown) => logs.own.error('A server could not be ended.', error))
      .finally(() => closing.delete(settled));
    closing.add(settled);
    return settled;
  };

  const leave = (gone: ManagedServer): void => {
    const { key } = gone.definition;
    leaving.set(key, Promise.all([leaving.get(key), track(gone.close())]));
  };

  const reconcile = (definitions: readonly ServerDefinition[]): void => {
    const known = new Map(servers.peek().map((server) => [server.id, server]));
    const ids = new Set(definitions.map(({ id }) => id));
    // Before the new ones, as one that is back under another id waits for what it was.
    for (const gone of [...known.values()].filter(({ id }) => !ids.has(id))) {
      leave(gone);
    }
    const next = definitions.map((definition) => {
      const server = known.get(definition.id);
      if (!server) {
        const fresh = new ManagedServer(
          definition,
          { connect, consent: policy.consent, trusted: dependencies.trusted },
          leaving.get(definition.key),
        );
        fresh.onDidUpdateResource((uri) => updates.fire({ server: fresh.id, uri }));
        return fresh;
      }
      void track(server.update(definition));
      return server;
    });
    servers.value = next;
  };
  const follow = effect(() => {
    const { definitions } = config.snapshot.value;
    untracked(() => reconcile(definitions));
  });

  const shutdown = async (): Promise<void> => {
    follow();
    tasks.dispose();
    await Promise.allSettled([...servers.peek().map((server) => server.close()), ...closing]);
    await policy.flush();
    servers.value = [];
    store.dispose();
  };

  return {
    servers: servers as ReadonlySignal<readonly ServerView[]>,
    configProblems: computed(() => config.snapshot.value.problems),
    catalog,
    callLog: policy.callLog,
    approvals: policy.approvals,
    consent: policy.consent,
    sampling,
    onDidUpdateResource: updates.event,
    ready: config.ready.then(async () => {
      trees?.().catch((error: unknown) => logs.own.error('Processes are not recorded.', error));
      await Promise.allSettled([
        policy.loadCallLog(),
        ...servers.peek().map(async (server) => (await server.connection()).loaded),
      ]);
      tasks.resume().catch((error: unknown) => logs.own.error('Open tasks could not be taken up.', error));
    }),
    tasks: tasks.tasks,
    cancelTask: async (server, id) => (await tasks.keeper()).cancel(server, id),
    keepTask: async (server, id) => (await tasks.keeper()).keep(server, id),
    taskResult: async (server, id) => (await tasks.keeper()).result(server, id),
    server: find,
    start: async (id, options) => {
      await (await need(id).connection()).start(options);
      looked(id, options);
    },
    stop: async (id) => (await need(id).connection()).stop(),
    restart: async (id, options) => need(id).restart(options),
    freshen: (id) => (id === undefined ? servers.peek() : [need(id)]).forEach((server) => server.freshen()),
    refresh: async (id, options) => {
      await (await need(id).connection()).refresh(options);
      looked(id, options);
    },
    callTool: (ref, args, options) =>
      policy.callTool(ref, args, { interactive: isPresent(options.caller), ...options }),
    checkArguments: (ref, args) => policy.checkArguments(ref, args),
    modelParts: async (result) => (await import('./policy/modelContent')).toModelParts(result),
    readResource: async (id, uri, options) => (await need(id).connection()).readResource(uri, options),
    getPrompt: async (id, name, args, options) => (await need(id).connection()).getPrompt(name, args, options),
    complete: async (id, ref, argument, context, options) =>
      (await need(id).connection()).complete(ref, argument, context, options),
    subscribe: (id, uri) => need(id).subscribe(uri),
    uriTemplates: () => import('./catalog/uriTemplates'),
    auth:
      authority ??
      (() => Promise.reject(new PorticoError('NOT_SUPPORTED', 'Nobody can sign in here. Sign in in the editor.'))),
    rootsOf: async (id) => dependencies.roots.rootsFor(need(id).definition),
    configEdits: () => import('./config/configEdit'),
    recognizeServer: async (text) => (await import('./config/recognize')).recognizeServer(text),
    shutdown,
    dispose: () => void shutdown(),
  };
}

/** Signing in, loaded when the first remote server starts; nothing where there is nobody to do it. */
function lazyAuthority(
  { auth: ports, clock, logs, network }: HubDependencies,
  store: DisposableStore,
  rest: Pick<AuthorityDependencies, 'resolve' | 'definitionOf' | 'allow' | 'restart' | 'signedInElsewhere'>,
): (() => Promise<Authority>) | undefined {
  let loaded: Promise<Authority> | undefined;
  const load = async (own: AuthPorts): Promise<Authority> => {
    const { Authority } = await import('./connections/auth/authority');
    return store.add(new Authority({ ports: own, clock, logs, ...(network ? { network } : {}), ...rest }));
  };
  return ports && (() => (loaded ??= load(ports)));
}

/** The record of running processes; loaded once, when it has ended what others left behind. */
function recordTrees(folder: string, clock: Clock, log: Logger): () => Promise<Trees> {
  let record: Promise<Trees> | undefined;
  const load = async (): Promise<Trees> => {
    const { TreeRecord } = await import('./connections/treeRecord');
    const trees = new TreeRecord(folder, clock, log);
    trees.sweep().catch((error: unknown) => log.error('What another window left behind could not be ended.', error));
    return trees;
  };
  return () => (record ??= load());
}

/** Whether a person is there to be asked: they run a tool by hand, or talk to the participant. */
function isPresent(caller: Caller): boolean {
  return caller.kind === 'manual' || caller.kind === 'participant';
}
