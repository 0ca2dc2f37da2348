import { effect } from '@preact/signals-core';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ServerView } from '../../core/hubTypes';
import { editorChat } from '../clientTokens';
import { McpEndpoint } from '../endpoint/mcpEndpoint';
import { answerError } from '../httpAnswers';
import type { Route, RouteRequest } from '../serverTypes';
import type { EndpointPorts } from './gatewayTypes';
import { tellChanges, watchLists } from './listChanges';
import { routeMeans } from './routes';
import { ServerOffers } from './serverOffers';

export interface GatewayPorts extends Omit<EndpointPorts, 'clock'> {
  readonly clock?: EndpointPorts['clock'];
  /** Which servers have an endpoint; tracked where it reads signals. The endpoint of any other ends. */
  isPublished(view: ServerView): boolean;
}

interface Served extends Disposable {
  readonly view: ServerView;
  readonly endpoint: McpEndpoint;
}

/** The catalog as MCP: an endpoint per published server at `/gateway/<id>`, made when it is first asked for. */
export class Gateway implements Disposable {
  readonly route: Route = {
    prefix: '/gateway/',
    methods: ['GET', 'POST', 'DELETE'],
    handle: (request) => this.handle(request),
    endClient: (id) => this.served.forEach(({ endpoint }) => endpoint.endClient(id)),
  };
  private readonly served = new Map<ServerView, Served>();
  private readonly store = new DisposableStore();
  private readonly endpointPorts: EndpointPorts;

  constructor(private readonly ports: GatewayPorts) {
    this.endpointPorts = {
      hub: ports.hub,
      log: ports.log,
      clock: ports.clock ?? systemClock,
      isTrusted: (view) => ports.isTrusted(view),
    };
    this.store.defer(
      effect(() => {
        const published = new Set(ports.hub.servers.value.filter((view) => ports.isPublished(view)));
        for (const [view, served] of [...this.served]) {
          if (!published.has(view)) {
            this.served.delete(view);
            served.dispose();
          }
        }
      }),
    );
  }

  /** Whether a client has a session with this server's endpoint. */
  hasSession(id: string): boolean {
    return [...this.served.values()].some(({ view, endpoint }) => view.id === id && endpoint.sessionCount > 0);
  }

  dispose(): void {
    this.store.dispose();
    for (const served of this.served.values()) {
      served.dispose();
    }
    this.served.clear();
  }

  private async handle(route: RouteRequest): Promise<void> {
    // For agents there is the aggregate: here calls count as the chat's.
    const served = route.client === editorChat ? this.find(route.rest) : undefined;
    if (served === undefined) {
      answerError(route.response, 404, 'No such server.');
    } else {
      await served.endpoint.handle(route);
    }
  }

  private find(rest: string): Served | undefined {
    const view = this.ports.hub.servers.peek().find((candidate) => routeMeans(rest, candidate.id));
    if (view === undefined || !this.ports.isPublished(view) || this.store.isDisposed) {
      return undefined;
    }
    const existing = this.served.get(view);
    if (existing !== undefined) {
      return existing;
    }
    const served = this.serve(view);
    this.served.set(view, served);
    return served;
  }

  private serve(view: ServerView): Served {
    const { clock, log } = this.endpointPorts;
    const store = new DisposableStore();
    const endpoint = store.add(new McpEndpoint(new ServerOffers(view, this.endpointPorts), { log, clock }));
    const isTrusted = (): boolean => this.endpointPorts.isTrusted(view);
    store.add(watchLists(view, isTrusted, clock, (changed) => tellChanges(endpoint.notices, changed)));
    return { view, endpoint, dispose: () => store.dispose() };
  }
}
