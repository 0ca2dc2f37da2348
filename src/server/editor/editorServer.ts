import { createHash } from 'node:crypto';
import { Server } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Logger } from '../../base/log';
import type { EndpointOffers, WatchedResources } from '../endpoint/endpointTypes';
import { ReadLedger } from '../readLedger';
import { ScopeWatch } from '../scopeWatch';
import type { AgentClient } from '../serverTypes';
import { ArgumentCheck } from './argumentCheck';
import { ClientRequests } from './clientRequests';
import type { EditorPorts } from './editorTypes';
import { OfferCatalog, type ScopeOf } from './offerCatalog';
import type { OfferSet } from './offerTypes';
import { addPromptHandlers } from './promptHandlers';
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
  readonly ledger?: ReadLedger;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** The editor as an MCP server, for many clients of both eras at once: one SDK server per session or request. */
export class EditorServer implements EndpointOffers, Disposable {
  readonly ledger: ReadLedger;
  readonly watched: WatchedResources;
  private readonly catalog: OfferCatalog;
  private readonly check = new ArgumentCheck();
  private readonly store = new DisposableStore();
  private readonly scopeChanges = this.store.add(new Emitter<void>());
  private readonly scopes: ScopeWatch;

  /** Another scope, or other groups of tools: the lists are others for some client at least. */
  readonly onDidChangeScopes = this.scopeChanges.event;

  constructor(private readonly options: EditorServerOptions) {
    const { ports, offers, scopeOf, ledger = new ReadLedger(undefined, options.clock) } = options;
    this.ledger = ledger;
    this.catalog = new OfferCatalog(offers, ports.workspace, ports.settings, scopeOf);
    this.watched = {
      watch: (uri, client, changed) =>
        ledger.follow({ kind: 'resource', what: uri, part: 'subscription' }, { client, program: undefined }, async () =>
          this.catalog.kindOf(uri, client).watch(uri, changed),
        ),
      fingerprint: (uri, client) => this.fingerprint(uri, client),
    };
    this.scopes = this.store.add(
      new ScopeWatch(
        (client) => {
          const { groups, subjects } = scopeOf(client);
          return [ports.settings.value.groups, groups, subjects].map((words) => [...words].sort().join()).join('|');
        },
        () => this.scopeChanges.fire(),
      ),
    );
  }

  createServer(client: AgentClient): Server {
    this.scopes.see(client);
    const server = new Server(
      { name, title: 'Portico: the editor', version: this.options.version },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
          completions: {},
        },
        instructions,
      },
    );
    const { log } = this.options;
    server.onerror = (error) => log.debug(`The editor server, for ${client.label}: ${error.message}`);
    const requests = new ClientRequests(client, server, { ledger: this.ledger, log });
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
    const context = { client, signal: new AbortController().signal, progress: () => undefined };
    if (kind.fingerprint !== undefined) {
      return kind.fingerprint(uri, context);
    }
    const { contents } = await kind.read(uri, context);
    return createHash('sha256').update(JSON.stringify(contents)).digest('base64');
  }
}
