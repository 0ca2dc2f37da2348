import { effect } from '@preact/signals-core';
import { classifyInboundRequest, isJsonContentType, type McpHttpHandler } from '@modelcontextprotocol/server';
import { systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ServerView } from '../../core/hubTypes';
import { answerError } from '../listener';
import type { Route, RouteRequest } from '../serverTypes';
import { Endpoint } from './endpoint';
import type { EndpointPorts } from './gatewayTypes';
import { watchLists } from './listChanges';
import { routeMeans } from './routes';
import { answerRpcError } from './rpcAnswers';
import { Sessions } from './sessions';
import { createStatelessHandler, serveStateless } from './statelessEra';

export interface GatewayPorts extends Omit<EndpointPorts, 'clock'> {
  readonly clock?: EndpointPorts['clock'];
  /** Which servers have an endpoint; tracked where it reads signals. The endpoint of any other ends. */
  isPublished(view: ServerView): boolean;
}

interface Served extends Disposable {
  readonly view: ServerView;
  readonly sessions: Sessions;
  readonly stateless: McpHttpHandler;
}

/** The catalog as MCP: an endpoint per published server at `/gateway/<id>`, made when it is first asked for. */
export class Gateway implements Disposable {
  readonly route: Route = {
    prefix: '/gateway/',
    methods: ['GET', 'POST', 'DELETE'],
    handle: (request) => this.handle(request),
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
    return [...this.served.values()].some(({ view, sessions }) => view.id === id && sessions.size > 0);
  }

  dispose(): void {
    this.store.dispose();
    for (const served of this.served.values()) {
      served.dispose();
    }
    this.served.clear();
  }

  private async handle(route: RouteRequest): Promise<void> {
    const { request, response, rest, body } = route;
    const served = this.find(rest);
    if (served === undefined) {
      answerError(response, 404, 'No such server.');
      return;
    }
    if (request.method === 'GET') {
      served.sessions.get(route);
    } else if (request.method === 'DELETE') {
      await served.sessions.delete(route);
    } else if (!isJsonContentType(request.headers['content-type'] ?? null)) {
      answerError(response, 415, 'The content type must be application/json.');
    } else {
      await this.post(served, route, body ?? '');
    }
  }

  private async post(served: Served, route: RouteRequest, body: string): Promise<void> {
    const { request, response } = route;
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      // The syntax error's text would repeat what was sent; the code says enough.
      answerError(response, 400, 'Parse error: the body is not JSON.', {}, -32_700);
      return;
    }
    const outcome = classifyInboundRequest({
      httpMethod: 'POST',
      body: parsed,
      ...header('protocolVersionHeader', request.headers['mcp-protocol-version']),
      ...header('mcpMethodHeader', request.headers['mcp-method']),
      ...header('mcpNameHeader', request.headers['mcp-name']),
    });
    if (outcome.kind === 'legacy') {
      await served.sessions.post(route, parsed);
    } else if (outcome.kind === 'modern') {
      await serveStateless(served.stateless, route, parsed);
    } else {
      answerRpcError(response, outcome.httpStatus, outcome.code, outcome.message, parsed);
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
    const endpoint = new Endpoint(view, this.endpointPorts);
    const sessions = store.add(new Sessions(() => endpoint.createServer(), clock));
    const stateless = createStatelessHandler(() => endpoint.createServer(), log);
    store.defer(() => void stateless.close());
    const isTrusted = (): boolean => this.endpointPorts.isTrusted(view);
    store.add(
      watchLists(view, isTrusted, clock, (changed) => {
        const failed = (error: unknown): void => log.debug(`A change was not told: ${String(error)}`);
        if (changed.has('tools')) {
          sessions.forEach((server) => void server.sendToolListChanged().catch(failed));
          stateless.notify.toolsChanged();
        }
        if (changed.has('prompts')) {
          sessions.forEach((server) => void server.sendPromptListChanged().catch(failed));
          stateless.notify.promptsChanged();
        }
        if (changed.has('resources')) {
          sessions.forEach((server) => void server.sendResourceListChanged().catch(failed));
          stateless.notify.resourcesChanged();
        }
      }),
    );
    return { view, sessions, stateless, dispose: () => store.dispose() };
  }
}

function header<N extends string>(name: N, value: string | string[] | undefined): Partial<Record<N, string>> {
  return typeof value === 'string' ? ({ [name]: value } as Record<N, string>) : {};
}
