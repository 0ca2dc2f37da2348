import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { computed, effect } from '@preact/signals-core';
import { workspace } from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import { Sequencer } from '../../base/sequencer';
import { editorScope, mayUseServer } from '../../server/agentScopes';
import { editorChat, newToken } from '../../server/clientTokens';
import { knownAgents, otherAgent } from '../../server/discovery/knownAgents';
import { createEditorServer, type PublishedEditor } from '../../server/editor/createEditorServer';
import { McpEndpoint } from '../../server/endpoint/mcpEndpoint';
import { Aggregate } from '../../server/gateway/aggregate/aggregate';
import { ReadLedger } from '../../server/readLedger';
import type { AgentClient } from '../../server/serverTypes';
import type { Services } from '../interop/contribution';
import type { Listening } from '../interop/listening';
import type { SharingState, UrlReach } from '../interop/sharing';
import { trustName } from '../interop/trustName';
import { announce } from './announcement';
import { createEditorPorts } from './editorPorts';
import type { SharedSignals } from './sharedSignals';
import { askConsent } from './sharingConsent';
import { sharingSettings, type SharingSettings } from './sharingSettings';
import { UrlClients } from './urlClients';
import { windowId } from './windowId';

const portKey = 'portico.agents.port';
const grantByUrl = (id: string): string => `url:${id}`;

interface Running extends Disposable {
  readonly state: SharingState & { readonly kind: 'on' };
  readonly settings: SharingSettings;
}

/** What the person has not let run is not there for agents either. */
const unshared: ReadonlySet<string> = new Set(['off', 'self', 'restricted', 'notApproved']);

/** Shares the window: the routes of editor and gateway, the record for bridges, and the port for agents that come by URL. */
export class SharingService implements Disposable {
  private readonly steps = new Sequencer();
  private readonly urlClients: UrlClients;
  private running: Running | undefined;
  private disposed = false;

  constructor(
    private readonly services: Services,
    private readonly listening: Listening,
    private readonly signals: SharedSignals,
  ) {
    this.urlClients = new UrlClients(services.context.secrets);
  }

  start(): Promise<SharingState & { readonly kind: 'on' }> {
    return this.steps.run(async () => {
      if (!workspace.isTrusted) {
        throw new PorticoError('RESTRICTED_MODE', 'Nothing is shared in Restricted Mode. Trust this workspace first.');
      }
      await askConsent(this.services.context.globalState);
      return (await this.run()).state;
    });
  }

  stop(): Promise<void> {
    return this.steps.run(async () => {
      this.close();
      await this.urlClients.clear();
    });
  }

  /** Ends it in this window, for what may come back: nobody's token is forgotten. */
  pause(): Promise<void> {
    return this.steps.run(async () => this.close());
  }

  letInByUrl(client: AgentClient): Promise<UrlReach> {
    return this.steps.run(async () => {
      const { settings } = await this.run();
      const token = await this.urlClients.tokenOf(client);
      const origin = await this.openPort(settings);
      await this.listening.letIn(client, token, grantByUrl(client.id));
      return { origin, token };
    });
  }

  dispose(): void {
    this.disposed = true;
    this.close();
  }

  private close(): void {
    this.running?.dispose();
    this.running = undefined;
    this.signals.state.value = { kind: 'off' };
  }

  private async run(): Promise<Running> {
    if (this.running === undefined) {
      const store = new DisposableStore();
      try {
        const { state, settings } = await this.open(store);
        this.running = { state, settings, dispose: () => store.dispose() };
      } catch (error) {
        store.dispose();
        throw error;
      }
      if (this.disposed) {
        this.close();
        throw new PorticoError('CANCELLED', 'Portico is closing.', { show: false });
      }
      this.signals.state.value = this.running.state;
    }
    return this.running;
  }

  private async open(store: DisposableStore): Promise<Omit<Running, 'dispose'>> {
    const { listening } = this;
    const { logs, context } = this.services;
    const log = logs.own;
    const version = String(context.extension.packageJSON.version);
    const settings = sharingSettings(store);
    const editor = await this.openRoutes(store, settings, version);
    const tokens = Object.fromEntries(knownAgents.map(({ id }) => [id, newToken()]));
    const token = newToken();
    for (const [client, own] of [
      ...knownAgents.map((each) => [each, tokens[each.id]] as const),
      [otherAgent, token] as const,
    ]) {
      await this.letIn(store, client, own ?? token, client.id);
    }
    let isWarm = false;
    const present = await listening.present();
    store.defer(() => (this.signals.present.value = []));
    store.defer(
      effect(() => {
        const agents = present.value.filter(({ id }) => id !== editorChat.id);
        this.signals.present.value = agents;
        // Not before: a window that nobody looks into does no work for it.
        if (agents.length > 0 && !isWarm) {
          isWarm = true;
          editor.warm().catch((error: unknown) => log.debug(`The files are not walked yet: ${String(error)}`));
        }
      }),
    );
    await this.openForUrls(store, settings);
    const { address } = await listening.start();
    const window = await windowId(context.workspaceState);
    const launcher = await announce(
      {
        id: window,
        address,
        token,
        clientTokens: tokens,
        version,
        bridge: join(context.extensionPath, 'dist', 'bridge.js'),
      },
      context,
      log,
      store,
    );
    return { state: { kind: 'on', launcher, window }, settings };
  }

  private async openRoutes(
    store: DisposableStore,
    settings: SharingSettings,
    version: string,
  ): Promise<PublishedEditor> {
    const { listening } = this;
    const { hub, logs, context } = this.services;
    const log = logs.own;
    const { scopes } = settings;
    const ledger = new ReadLedger(this.signals.reads);
    const editor = store.add(
      createEditorServer({
        ports: createEditorPorts(this.services, settings.editor, settings.savesEdits, store),
        worker: pathToFileURL(join(context.extensionPath, 'dist', 'editorWorker.js')),
        version,
        scopeOf: ({ id }) => editorScope(scopes.value, id),
        ledger,
        log,
      }),
    );
    const endpoint = store.add(new McpEndpoint(editor.server, { log }));
    store.add(editor.tell(endpoint.notices));
    store.add(await listening.addRoute(endpoint.route('/editor')));
    const trusted = this.services.settings.trustedServers;
    const shared = computed(() => hub.servers.value.filter(({ status }) => !unshared.has(status.value.kind)));
    const aggregate = store.add(
      new Aggregate({
        hub,
        log,
        clock: systemClock,
        ledger,
        version,
        isShared: (view) => shared.value.includes(view),
        mayUse: ({ id }, { definition }) => mayUseServer(scopes.value, id, definition.key),
        isTrusted: ({ definition }) => trusted.value.includes(trustName(definition)),
      }),
    );
    store.add(await listening.addRoute(aggregate.route));
    return editor;
  }

  /** Agents whose configuration holds a URL find the window again at the port that they know. */
  private async openForUrls(store: DisposableStore, settings: SharingSettings): Promise<void> {
    const { listening } = this;
    const { logs } = this.services;
    const follow = async (): Promise<void> => {
      const clients = await this.urlClients.all();
      if (clients.length > 0) {
        await this.openPort(settings);
      } else {
        await listening.stopLoopback();
      }
      for (const { client, token } of clients) {
        await this.letIn(store, client, token, grantByUrl(client.id));
      }
    };
    const followed = (): void => {
      this.steps
        .run(async () => (store.isDisposed ? undefined : follow()))
        .catch((error: unknown) => logs.own.error('Agents that come by URL are not let in.', error));
    };
    store.add(this.urlClients.onDidChange(followed));
    store.defer(() => void listening.stopLoopback());
    await follow();
  }

  private async letIn(store: DisposableStore, client: AgentClient, token: string, grant: string): Promise<void> {
    const { listening } = this;
    await listening.letIn(client, token, grant);
    store.defer(() => void listening.turnAway(grant));
  }

  private async openPort({ preferredPort }: SharingSettings): Promise<string> {
    const { listening } = this;
    const { context } = this.services;
    const { globalState } = context;
    const { host, port } = await listening.startLoopback(
      preferredPort.peek() || (globalState.get<number>(portKey) ?? 0),
    );
    if (globalState.get(portKey) === undefined) {
      await globalState.update(portKey, port);
    }
    return `http://${host}:${port}`;
  }
}
