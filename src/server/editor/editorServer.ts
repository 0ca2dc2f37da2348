import { createHash } from 'node:crypto';
import { Server } from '@modelcontextprotocol/server';
import { computed, effect } from '@preact/signals-core';
import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Logger } from '../../base/log';
import type { EndpointOffers, WatchedResources } from '../endpoint/endpointTypes';
import type { AgentClient } from '../serverTypes';
import { ArgumentCheck } from './argumentCheck';
import { ClientRequests } from './clientRequests';
import type { EditorPorts } from './editorTypes';
import { OfferCatalog, type ScopeOf } from './offerCatalog';
import type { OfferSet } from './offerTypes';
import { addPromptHandlers } from './promptHandlers';
import { ReadLedger } from './readLedger';
import { addResourceHandlers } from './resourceHandlers';
import { addToolHandlers } from './toolHandlers';

const name = 'portico-editor';

const instructions =
  'The editor as the person has it open: problems as language extensions see them, files with their unsaved text, ' +
  'symbols, the selection, changes in Git. Paths are relative to the workspace folder or absolute; lines and columns ' +
  'count from 1. Every resource template has a tool that gives the same.';

export interface EditorServerOptions {
  readonly ports: Pick<EditorPorts, 'workspace' | 'settings'>;
  readonly offers: readonly OfferSet[];
  /** Portico's own. */
  readonly version: string;
  /** What each client may have; tracked where it reads signals. */
  readonly scopeOf: ScopeOf;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** The editor as an MCP server, for many clients of both eras at once: one SDK server per session or request. */
export class EditorServer implements EndpointOffers, Disposable {
  readonly ledger = new ReadLedger();
  readonly watched: WatchedResources;
  private readonly catalog: OfferCatalog;
  private readonly check = new ArgumentCheck();
  private readonly clock: Clock;
  private readonly store = new DisposableStore();
  private readonly toolChanges = this.store.add(new Emitter<void>());

  /** The list of tools is another one, for some client at least. */
  readonly onDidChangeTools = this.toolChanges.event;

  constructor(private readonly options: EditorServerOptions) {
    const { ports, offers, scopeOf } = options;
    this.clock = options.clock ?? systemClock;
    this.catalog = new OfferCatalog(offers, ports.workspace, ports.settings, scopeOf);
    this.watched = {
      watch: async (uri, client, changed) => this.catalog.kindOf(uri, client).watch(uri, changed),
      fingerprint: (uri, client) => this.fingerprint(uri, client),
    };
    const groups = computed(() => [...ports.settings.value.groups].sort().join());
    let first = true;
    this.store.defer(
      effect(() => {
        void groups.value;
        if (!first) {
          this.toolChanges.fire();
        }
        first = false;
      }),
    );
  }

  createServer(client: AgentClient): Server {
    const server = new Server(
      { name, title: 'Portico: the editor', version: this.options.version },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: {},
          completions: {},
        },
        instructions,
      },
    );
    const { log } = this.options;
    server.onerror = (error) => log.debug(`The editor server, for ${client.label}: ${error.message}`);
    const requests = new ClientRequests(client, server, { ledger: this.ledger, clock: this.clock, log });
    addToolHandlers(server, requests, this.catalog, this.check);
    addResourceHandlers(server, requests, this.catalog, name);
    addPromptHandlers(server, requests, this.catalog, name);
    return server;
  }

  dispose(): void {
    this.store.dispose();
  }

  private async fingerprint(uri: string, client: AgentClient): Promise<string> {
    const kind = this.catalog.kindOf(uri, client);
    if (kind.fingerprint !== undefined) {
      return kind.fingerprint(uri);
    }
    const signal = new AbortController().signal;
    const { contents } = await kind.read(uri, { client, signal, progress: () => undefined });
    return createHash('sha256').update(JSON.stringify(contents)).digest('base64');
  }
}
