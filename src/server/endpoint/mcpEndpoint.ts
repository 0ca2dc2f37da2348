import {
  classifyInboundRequest,
  isJsonContentType,
  isJSONRPCRequest,
  type McpHttpHandler,
  ProtocolErrorCode,
  type Server,
  type ServerCapabilities,
} from '@modelcontextprotocol/server';
import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';
import { answerError, answerRpcError } from '../httpAnswers';
import type { AgentClient, Route, RouteRequest } from '../serverTypes';
import type { ChangeNotices, EndpointOffers } from './endpointTypes';
import { boundsFault } from './messageBounds';
import { parseBody } from './parseBody';
import { requestFault, sessionMethods, statelessFault } from './requestParams';
import { Sessions } from './sessions';
import { addSubscriptionHandlers } from './sessionSubscriptions';
import { createStatelessHandler, serveStateless } from './statelessEra';
import { isListenRequest, watchForListen } from './statelessSubscriptions';
import { Subscriptions } from './subscriptions';

export interface EndpointSurroundings {
  readonly log: Logger;
  readonly clock?: Clock;
}

/**
 * One MCP endpoint over HTTP, for many clients at once and in both eras: sessions where a client opens with `initialize`,
 * each request for itself where it carries the envelope of 2026-07-28.
 */
export class McpEndpoint implements Disposable {
  private readonly store = new DisposableStore();
  private readonly clock: Clock;
  private readonly sessions: Sessions;
  private readonly subscriptions: Subscriptions | undefined;
  /** By client: what one of them listens to is no matter of another's. */
  private readonly stateless = new Map<string, McpHttpHandler>();

  readonly notices: ChangeNotices = {
    toolsChanged: () => this.tell('toolsChanged', (server) => server.sendToolListChanged()),
    promptsChanged: () => this.tell('promptsChanged', (server) => server.sendPromptListChanged()),
    resourcesChanged: () => this.tell('resourcesChanged', (server) => server.sendResourceListChanged()),
  };

  constructor(
    private readonly offers: EndpointOffers,
    private readonly surroundings: EndpointSurroundings,
  ) {
    const { log, clock = systemClock } = surroundings;
    this.clock = clock;
    this.subscriptions = offers.watched && this.store.add(new Subscriptions(offers.watched, clock, log));
    this.sessions = this.store.add(new Sessions((client) => this.createSessionServer(client), clock));
    this.store.defer(() => {
      for (const handler of this.stateless.values()) {
        void handler.close();
      }
    });
  }

  /** How many sessions are open. */
  get sessionCount(): number {
    return this.sessions.size;
  }

  /** The endpoint as the only thing at a path, such as `/editor`. */
  route(path: string): Route {
    return {
      prefix: path,
      methods: ['GET', 'POST', 'DELETE'],
      handle: (request) => this.handle(request),
      endClient: (id) => this.endClient(id),
    };
  }

  async handle(route: RouteRequest): Promise<void> {
    const { request, response, body } = route;
    if (request.method !== 'POST' && request.headers['mcp-session-id'] === undefined) {
      // The stateless era has neither, and a client that looks for a stream before it has a session is sent to POST.
      answerError(response, 405, 'Method not allowed without a session.', { allow: 'POST' });
    } else if (request.method === 'GET') {
      this.sessions.get(route);
    } else if (request.method === 'DELETE') {
      await this.sessions.delete(route);
    } else if (!isJsonContentType(request.headers['content-type'] ?? null)) {
      answerError(response, 415, 'The content type must be application/json.');
    } else {
      await this.post(route, body ?? '');
    }
  }

  /** Ends what a client has open: it is no longer let in. */
  endClient(id: string): void {
    this.sessions.endClient(id);
    const handler = this.stateless.get(id);
    this.stateless.delete(id);
    void handler?.close();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async post(route: RouteRequest, body: string): Promise<void> {
    const { request, response } = route;
    const parsing = parseBody(body);
    const json = parsing instanceof Promise ? await parsing : parsing;
    if (response.destroyed) {
      return;
    }
    if (json.fault !== undefined) {
      answerError(response, 400, json.fault.message, {}, json.fault.code);
      return;
    }
    const { parsed } = json;
    const tooMuch = boundsFault(parsed);
    if (tooMuch !== undefined) {
      answerRpcError(response, 400, ProtocolErrorCode.InvalidRequest, `Invalid request: ${tooMuch}.`, parsed);
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
      await this.sessions.post(route, parsed);
    } else if (outcome.kind === 'modern') {
      await this.postStateless(route, parsed);
    } else {
      const fault = requestFault(parsed);
      if (fault === undefined) {
        answerRpcError(response, outcome.httpStatus, outcome.code, outcome.message, parsed);
      } else {
        answerRpcError(response, 200, ProtocolErrorCode.InvalidParams, fault, parsed);
      }
    }
  }

  private async postStateless(route: RouteRequest, parsed: unknown): Promise<void> {
    const { client, response } = route;
    const fault = isJSONRPCRequest(parsed) && !sessionMethods.has(parsed.method) ? statelessFault(parsed) : undefined;
    if (fault !== undefined && isJSONRPCRequest(parsed) && this.offersMethod(parsed.method, client)) {
      answerRpcError(response, 200, ProtocolErrorCode.InvalidParams, fault, parsed);
      return;
    }
    const handler = this.statelessFor(client);
    const { subscriptions } = this;
    const body =
      subscriptions !== undefined && isListenRequest(parsed)
        ? await watchForListen(parsed, response, (uri) =>
            subscriptions.add(uri, client, handler, () => handler.notify.resourceUpdated(uri)),
          )
        : parsed;
    if (response.destroyed) {
      return;
    }
    await serveStateless(handler, route, body, this.clock);
  }

  /** Whether a client is served a method at all; where it is not, its params are no matter. */
  private offersMethod(method: string, client: AgentClient): boolean {
    const capability = capabilityOf.get(method.split('/', 1)[0] ?? '');
    return capability === undefined || this.offers.createServer(client).getCapabilities()[capability] !== undefined;
  }

  private statelessFor(client: AgentClient): McpHttpHandler {
    const existing = this.stateless.get(client.id);
    if (existing !== undefined) {
      return existing;
    }
    const handler = createStatelessHandler(() => this.offers.createServer(client), this.surroundings.log);
    this.stateless.set(client.id, handler);
    return handler;
  }

  private createSessionServer(client: AgentClient): Server {
    const server = this.offers.createServer(client);
    if (this.subscriptions !== undefined && server.getCapabilities().resources?.subscribe) {
      addSubscriptionHandlers(server, client, this.subscriptions, this.surroundings.log);
    }
    return server;
  }

  private tell(change: keyof ChangeNotices, send: (server: Server) => Promise<void>): void {
    this.sessions.forEach((server) => {
      send(server).catch((error: unknown) => this.surroundings.log.debug(`A change was not told: ${String(error)}`));
    });
    for (const handler of this.stateless.values()) {
      handler.notify[change]();
    }
  }
}

const capabilityOf: ReadonlyMap<string, keyof ServerCapabilities> = new Map([
  ['tools', 'tools'],
  ['resources', 'resources'],
  ['prompts', 'prompts'],
  ['completion', 'completions'],
]);

function header<N extends string>(name: N, value: string | string[] | undefined): Partial<Record<N, string>> {
  return typeof value === 'string' ? ({ [name]: value } as Record<N, string>) : {};
}
