import { effect } from '@preact/signals-core';
import { Server } from '@modelcontextprotocol/server';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import type { EndpointOffers } from '../../endpoint/endpointTypes';
import { McpEndpoint } from '../../endpoint/mcpEndpoint';
import type { AgentClient, Route } from '../../serverTypes';
import { ScopeWatch } from '../../scopeWatch';
import { FirstSight } from '../firstSight';
import { tellChanges, watchLists } from '../listChanges';
import { addAggregatePrompts } from './aggregatePrompts';
import { addAggregateResources, watchAggregate } from './aggregateResources';
import { addAggregateTools } from './aggregateTools';
import type { AggregatePorts } from './aggregateTypes';
import { sharedServers } from './sharedServers';

const instructions =
  'These are the MCP servers that the person runs in their editor, behind one endpoint. Tools and prompts are named ' +
  '<server>_<name>, resources portico://<server>/<URI>. A call may wait until the person has approved it.';

/** All connected servers as one MCP server for agents, at `/gateway`: one process of each server, however many agents. */
export class Aggregate implements Disposable {
  private readonly store = new DisposableStore();
  private readonly endpoint: McpEndpoint;
  private readonly firstSight: FirstSight;
  private readonly scopes: ScopeWatch;
  readonly route: Route;

  constructor(private readonly ports: AggregatePorts) {
    this.firstSight = new FirstSight(ports);
    const offers: EndpointOffers = {
      createServer: (client) => this.createServer(client),
      watched: {
        watch: async (uri, client, changed) =>
          watchAggregate(sharedServers(ports, client, this.firstSight), ports, uri, changed),
      },
    };
    this.endpoint = this.store.add(new McpEndpoint(offers, ports));
    this.route = this.endpoint.route('/gateway');
    this.watch();
    const { hub } = ports;
    this.scopes = this.store.add(
      new ScopeWatch(
        (client) =>
          JSON.stringify(
            hub.servers
              .peek()
              .filter((view) => ports.mayUse(client, view))
              .map(({ id }) => id),
          ),
        () => tellChanges(this.endpoint.notices, new Set(['tools', 'prompts', 'resources'])),
      ),
    );
  }

  get sessionCount(): number {
    return this.endpoint.sessionCount;
  }

  dispose(): void {
    this.store.dispose();
  }

  private createServer(client: AgentClient): Server {
    const { log, version } = this.ports;
    this.scopes.see(client);
    const servers = sharedServers(this.ports, client, this.firstSight);
    const server = new Server(
      { name: 'portico-gateway', title: 'Portico: your MCP servers', version },
      {
        instructions,
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          completions: {},
          logging: {},
        },
      },
    );
    server.onerror = (error) => log.debug(`The gateway, for ${client.label}: ${error.message}`);
    addAggregateTools(server, client, servers, this.ports);
    addAggregateResources(server, client, servers, this.ports);
    addAggregatePrompts(server, client, servers, this.ports);
    return server;
  }

  /** Follows the lists of the shared servers, and which those are. */
  private watch(): void {
    const { hub } = this.ports;
    const { notices } = this.endpoint;
    const { clock } = this.ports;
    const watched = new Map<string, Disposable>();
    let first = true;
    this.store.defer(
      effect(() => {
        const shared = hub.servers.value.filter((view) => this.ports.isShared(view));
        const gone = [...watched.keys()].filter((id) => !shared.some((view) => view.id === id));
        const come = shared.filter(({ id }) => !watched.has(id));
        for (const id of gone) {
          watched.get(id)?.dispose();
          watched.delete(id);
        }
        for (const view of come) {
          const trusted = (): boolean => this.ports.isTrusted(view);
          watched.set(
            view.id,
            watchLists(view, trusted, clock, (changed) => tellChanges(notices, changed)),
          );
        }
        if (!first && gone.length + come.length > 0) {
          tellChanges(notices, new Set(['tools', 'prompts', 'resources']));
        }
        first = false;
      }),
    );
    this.store.defer(() => watched.forEach((item) => item.dispose()));
  }
}
