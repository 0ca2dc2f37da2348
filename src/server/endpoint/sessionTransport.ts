import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { unreadAnswers } from '../httpAnswers';
import type { RouteRequest } from '../serverTypes';
import { beginStream, keepAlive, writeEvent } from './eventStream';
import { paramsFault, sizeFault } from './requestParams';

/** An answer, and what its client has room for. */
type Answering = Pick<RouteRequest, 'response' | 'hasRoom' | 'keeps'>;

/** One POST and the requests it brought; answered with JSON, or with a stream once there is more than answers to send. */
interface Exchange extends Answering {
  /** The requests that have no answer yet. */
  readonly waiting: Map<RequestId, JSONRPCRequest>;
  /** As JSON, until the last is there. */
  answers: readonly string[];
  readonly batch: boolean;
  readonly mayStream: boolean;
  keepAlive: Disposable | undefined;
}

/**
 * Streamable HTTP, session era, on Node's own request and response: half the cost of the SDK's transport, which wraps
 * them twice and answers every request with a stream.
 */
export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private readonly exchanges = new Map<RequestId, Exchange>();
  /** Told to nobody yet, as the client has no stream open: one per list and resource, since they carry nothing else. */
  private readonly untold = new Map<string, JSONRPCMessage>();
  private readonly store = new DisposableStore();
  private stream: Pick<Answering, 'response' | 'hasRoom'> | undefined;

  constructor(
    readonly sessionId: string,
    private readonly clock: Clock,
  ) {}

  /** True while a request is being answered or the client listens. */
  get isBusy(): boolean {
    return this.stream !== undefined || this.exchanges.size > 0;
  }

  async start(): Promise<void> {}

  /** Takes the messages of one POST. False where one of them has the id of a request that is still running. */
  receive(
    messages: readonly JSONRPCMessage[],
    batch: boolean,
    { response, hasRoom, keeps }: Answering,
    mayStream: boolean,
  ): boolean {
    const requests = messages.filter(isRequest);
    const waiting = new Map(requests.map((request) => [request.id, request]));
    if (waiting.size < requests.length || requests.some((request) => this.exchanges.has(request.id))) {
      return false;
    }
    if (requests.length === 0) {
      response.writeHead(202).end();
    } else {
      this.open({ response, hasRoom, keeps, waiting, answers: [], batch, mayStream, keepAlive: undefined });
    }
    for (const message of messages) {
      const fault = isRequest(message) ? sizeFault(message) : undefined;
      if (isRequest(message) && fault !== undefined) {
        this.answer(invalidParams(message.id, fault), message.id);
        continue;
      }
      this.onmessage?.(message);
      if (isNotification(message) && message.method === 'notifications/cancelled') {
        this.forget(message.params?.['requestId']);
      }
    }
    return true;
  }

  /** Opens the stream for what belongs to no request; a client that comes back replaces its older stream. */
  listen({ response, hasRoom }: Pick<Answering, 'response' | 'hasRoom'>): void {
    this.stream?.response.end();
    this.stream = { response, hasRoom };
    beginStream(response, { 'mcp-session-id': this.sessionId });
    const alive = this.store.add(keepAlive(response, this.clock, () => undefined));
    response.on('close', () => {
      this.store.release(alive);
      if (this.stream?.response === response) {
        this.stream = undefined;
      }
    });
    for (const message of this.untold.values()) {
      writeEvent(response, JSON.stringify(message));
    }
    this.untold.clear();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('error' in message) {
      this.answer(withOldCode(this.withCause(message)), message.id);
      return;
    }
    if ('result' in message) {
      this.answer(message, message.id);
      return;
    }
    const exchange = options?.relatedRequestId === undefined ? undefined : this.exchanges.get(options.relatedRequestId);
    if (exchange?.mayStream && exchange.hasRoom()) {
      this.beginStream(exchange);
      writeEvent(exchange.response, JSON.stringify(message));
    } else if (this.stream?.hasRoom() && options?.relatedRequestId === undefined) {
      writeEvent(this.stream.response, JSON.stringify(message));
    } else if (isNotification(message) && isChange(message.method)) {
      this.untold.set(`${message.method} ${String(message.params?.['uri'])}`, message);
    } else if (isRequest(message)) {
      throw new Error('The client has no stream on which it could be asked, or does not read it.');
    }
  }

  async close(): Promise<void> {
    if (this.store.isDisposed) {
      return;
    }
    this.store.dispose();
    this.stream?.response.end();
    for (const { response } of new Set(this.exchanges.values())) {
      response.destroy();
    }
    this.exchanges.clear();
    this.onclose?.();
  }

  private open(exchange: Exchange): void {
    const { response, waiting } = exchange;
    for (const id of waiting.keys()) {
      this.exchanges.set(id, exchange);
    }
    // A client gives up on an answer that sends no headers for minutes, so a long one becomes a stream.
    exchange.keepAlive = exchange.mayStream
      ? this.store.add(keepAlive(response, this.clock, () => this.beginStream(exchange)))
      : undefined;
    response.on('close', () => {
      this.releaseKeepAlive(exchange);
      // The client went away: there is nobody to answer, as streams are not resumed.
      for (const requestId of waiting.keys()) {
        this.exchanges.delete(requestId);
        this.onmessage?.({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId, reason: 'The client disconnected.' },
        });
      }
    });
  }

  private answer(message: JSONRPCMessage, id: RequestId | undefined): void {
    const exchange = id === undefined ? undefined : this.exchanges.get(id);
    if (id === undefined || exchange === undefined) {
      return;
    }
    const text = JSON.stringify(exchange.hasRoom() ? message : unread(id));
    if (exchange.response.headersSent) {
      writeEvent(exchange.response, text);
    } else {
      exchange.answers = [...exchange.answers, text];
      if (exchange.batch) {
        exchange.keeps(exchange.answers.reduce((bytes, answer) => bytes + Buffer.byteLength(answer), 0));
      }
    }
    this.settle(id, exchange);
  }

  /** Of wrong params the SDK says that it failed, or what its schema says of them: after an error they are looked at again. */
  private withCause(message: JSONRPCErrorResponse): JSONRPCErrorResponse {
    const { id, error } = message;
    if (id === undefined || !maybeParams.has(error.code)) {
      return message;
    }
    const request = this.exchanges.get(id)?.waiting.get(id);
    const fault = request && paramsFault(request);
    return fault === undefined ? message : invalidParams(id, fault);
  }

  /** A cancelled request gets no answer (spec: utilities/cancellation); only its exchange comes to an end. */
  private forget(id: unknown): void {
    const exchange = typeof id === 'string' || typeof id === 'number' ? this.exchanges.get(id) : undefined;
    if (exchange !== undefined) {
      this.settle(id as RequestId, exchange);
    }
  }

  private settle(id: RequestId, exchange: Exchange): void {
    const { response, answers, batch, waiting } = exchange;
    this.exchanges.delete(id);
    waiting.delete(id);
    if (waiting.size > 0) {
      return;
    }
    this.releaseKeepAlive(exchange);
    if (response.headersSent) {
      response.end();
    } else if (answers.length > 0) {
      const text = batch ? `[${answers.join(',')}]` : (answers[0] ?? '');
      exchange.keeps(0);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'mcp-session-id': this.sessionId,
      });
      response.end(text);
    } else {
      response.writeHead(202).end();
    }
  }

  private releaseKeepAlive({ keepAlive: held }: Exchange): void {
    if (held !== undefined) {
      this.store.release(held);
    }
  }

  private beginStream({ response, answers, keeps }: Exchange): void {
    if (!response.headersSent) {
      beginStream(response, { 'mcp-session-id': this.sessionId });
      keeps(0);
      for (const answer of answers) {
        writeEvent(response, answer);
      }
    }
  }
}

const maybeParams: ReadonlySet<number> = new Set([ProtocolErrorCode.InternalError, ProtocolErrorCode.InvalidParams]);

/** Messages that have been checked, or are the SDK's own: which of the four they are shows in their keys. */
function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

function isNotification(message: JSONRPCMessage): message is JSONRPCNotification {
  return 'method' in message && !('id' in message);
}

function unread(id: RequestId): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message: unreadAnswers } };
}

function invalidParams(id: RequestId, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message } };
}

/**
 * Up to 2025-11-25 a resource that there is not has a code of its own (spec: server/resources#error-handling); the SDK
 * knows only that of 2026-07-28, and marks the error by its data.
 */
function withOldCode(message: JSONRPCErrorResponse): JSONRPCErrorResponse {
  const { code, data } = message.error;
  const isMissing =
    code === ProtocolErrorCode.InvalidParams &&
    typeof data === 'object' &&
    data !== null &&
    Object.keys(data).join() === 'uri';
  return isMissing ? { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } } : message;
}

function isChange(method: string): boolean {
  return method.endsWith('/list_changed') || method === 'notifications/resources/updated';
}
