import { randomUUID } from 'node:crypto';
import {
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { answerError, answerRpcError } from '../httpAnswers';
import type { AgentClient, RouteRequest } from '../serverTypes';
import { paramsFault } from './requestParams';
import { SessionTransport } from './sessionTransport';

/** Beyond this many sessions of one client its idle one that was used least recently ends; where all are busy no other opens. */
const maxPerClient = 100;
/** A session without a stream or request ends after this time, in milliseconds; its client starts a new one. */
const idleMs = 60 * 60_000;

interface Session {
  /** Whose it is: to others it does not exist. */
  readonly client: string;
  readonly server: Server;
  readonly transport: SessionTransport;
  usedAt: number;
}

/** The sessions of one endpoint: `initialize` opens one, DELETE, long idleness or the endpoint's end close it. */
export class Sessions implements Disposable {
  /** In order of last use. */
  private readonly sessions = new Map<string, Session>();
  private readonly store = new DisposableStore();

  constructor(
    private readonly createServer: (client: AgentClient) => Server,
    private readonly clock: Clock,
  ) {
    this.sweepLater();
  }

  get size(): number {
    return this.sessions.size;
  }

  /** Runs for every session's server, such as to send a notification. */
  forEach(run: (server: Server) => void): void {
    for (const { server } of this.sessions.values()) {
      run(server);
    }
  }

  /** Answers a POST of the session era; `parsed` is its body. */
  async post(route: RouteRequest, parsed: unknown): Promise<void> {
    const { request, response, client } = route;
    const accept = request.headers.accept ?? '*/*';
    const mayStream = accept.includes('text/event-stream');
    if (!mayStream && !/application\/(json|\*)|\*\/\*/.test(accept)) {
      answerRpcError(response, 406, -32_000, 'Not acceptable: the client must accept application/json.', parsed);
      return;
    }
    const batch = Array.isArray(parsed);
    const messages: unknown[] = batch ? parsed : [parsed];
    if (!areMessages(messages)) {
      answerRpcError(response, 400, -32_600, 'Invalid request: not a JSON-RPC message.', parsed);
      return;
    }
    const opening = messages.some((message) => 'method' in message && message.method === 'initialize');
    if (opening && batch) {
      answerRpcError(response, 400, -32_600, 'Invalid request: initialize cannot be part of a batch.', parsed);
      return;
    }
    const [first] = messages;
    if (opening && !isJSONRPCRequest(first)) {
      answerRpcError(response, 400, -32_600, 'Invalid request: initialize must have an id.', parsed);
      return;
    }
    const fault = opening && isJSONRPCRequest(first) ? paramsFault(first) : undefined;
    if (fault !== undefined) {
      answerRpcError(response, 200, ProtocolErrorCode.InvalidParams, fault, parsed);
      return;
    }
    const session = opening ? await this.open(client) : this.find(route, parsed);
    if (session === 'full') {
      // To end one would only make its client come back at once, at the cost of another one.
      const text = `There are ${maxPerClient} sessions of this client already, and all are in use. Close one, then try again.`;
      answerRpcError(response, 429, -32_000, text, parsed);
      return;
    }
    if (session === undefined) {
      return;
    }
    if (batch && !allowsBatches(session.server)) {
      answerRpcError(response, 400, -32_600, 'Invalid request: this protocol version has no batches.', parsed);
      return;
    }
    if (!session.transport.receive(messages, batch, route, mayStream)) {
      answerRpcError(response, 400, -32_600, 'Invalid request: this id is in use.', parsed);
    }
  }

  /** Opens the stream by which the client hears of what belongs to no request. */
  get(route: RouteRequest): void {
    const { request, response } = route;
    if (!request.headers.accept?.includes('text/event-stream')) {
      answerError(response, 406, 'Not acceptable: the client must accept text/event-stream.');
      return;
    }
    this.find(route, undefined)?.transport.listen(route);
  }

  async delete(route: RouteRequest): Promise<void> {
    const session = this.find(route, undefined);
    if (session !== undefined) {
      await this.end(session);
      route.response.writeHead(200).end();
    }
  }

  /** Ends all sessions of a client that is no longer let in. */
  endClient(id: string): void {
    for (const session of [...this.sessions.values()]) {
      if (session.client === id) {
        void this.end(session);
      }
    }
  }

  dispose(): void {
    this.store.dispose();
    for (const session of [...this.sessions.values()]) {
      void this.end(session);
    }
  }

  private async open(client: AgentClient): Promise<Session | 'full'> {
    const others = [...this.sessions.values()].filter((other) => other.client === client.id);
    if (others.length >= maxPerClient) {
      const idle = others.find((other) => !other.transport.isBusy);
      if (idle === undefined) {
        return 'full';
      }
      await this.end(idle);
    }
    const server = this.createServer(client);
    const transport = new SessionTransport(randomUUID(), this.clock);
    const session: Session = { client: client.id, server, transport, usedAt: this.clock.now() };
    this.sessions.set(transport.sessionId, session);
    transport.onclose = () => this.sessions.delete(transport.sessionId);
    await session.server.connect(transport);
    return session;
  }

  /** The session that a request names, or nothing once the request has been answered with what is wrong. */
  private find({ request, response, client }: RouteRequest, parsed: unknown): Session | undefined {
    const id = request.headers['mcp-session-id'];
    const version = request.headers['mcp-protocol-version'];
    if (typeof id !== 'string') {
      answerRpcError(response, 400, -32_000, 'Bad request: the Mcp-Session-Id header is missing.', parsed);
      return undefined;
    }
    const session = this.sessions.get(id);
    if (session === undefined || session.client !== client.id) {
      answerRpcError(response, 404, -32_001, 'Session not found.', parsed);
      return undefined;
    }
    // The editor's client leaves the header out; a wrong one must be refused (spec: protocol version header).
    if (typeof version === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      answerRpcError(response, 400, -32_000, `Bad request: protocol version ${version} is not supported.`, parsed);
      return undefined;
    }
    session.usedAt = this.clock.now();
    this.sessions.delete(id);
    this.sessions.set(id, session);
    return session;
  }

  private async end(session: Session): Promise<void> {
    this.sessions.delete(session.transport.sessionId);
    await session.server.close();
  }

  private sweepLater(): void {
    const timer = this.clock.after(idleMs, () => {
      this.store.release(timer);
      const limit = this.clock.now() - idleMs;
      for (const session of [...this.sessions.values()]) {
        if (session.usedAt <= limit && !session.transport.isBusy) {
          void this.end(session);
        }
      }
      this.sweepLater();
    });
    this.store.add(timer);
  }
}

function areMessages(values: readonly unknown[]): values is JSONRPCMessage[] {
  return values.length > 0 && values.every((value) => isSpecType.JSONRPCMessage(value));
}

/** Batches were part of the protocol up to 2025-03-26. */
function allowsBatches(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? '') <= '2025-03-26';
}
