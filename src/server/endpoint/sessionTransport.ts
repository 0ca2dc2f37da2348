import type { ServerResponse } from 'node:http';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { beginStream, keepAliveMs, writeComment, writeEvent } from './eventStream';

/** One POST and the requests it brought; answered with JSON, or with a stream once there is more than answers to send. */
interface Exchange {
  readonly response: ServerResponse;
  readonly waiting: Set<RequestId>;
  readonly answers: JSONRPCMessage[];
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
  private stream: ServerResponse | undefined;

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
  receive(messages: readonly JSONRPCMessage[], batch: boolean, response: ServerResponse, mayStream: boolean): boolean {
    const requests = messages.filter((message): message is JSONRPCRequest => isJSONRPCRequest(message));
    const ids = new Set(requests.map((request) => request.id));
    if (ids.size < requests.length || requests.some((request) => this.exchanges.has(request.id))) {
      return false;
    }
    if (requests.length === 0) {
      response.writeHead(202).end();
    } else {
      this.open({ response, waiting: ids, answers: [], batch, mayStream, keepAlive: undefined });
    }
    for (const message of messages) {
      this.onmessage?.(message);
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
        this.forget(message.params?.['requestId']);
      }
    }
    return true;
  }

  /** Opens the stream for what belongs to no request; a client that comes back replaces its older stream. */
  listen(response: ServerResponse): void {
    this.stream?.end();
    this.stream = response;
    beginStream(response, { 'mcp-session-id': this.sessionId });
    const keepAlive = this.keepAlive(response);
    response.on('close', () => {
      this.store.release(keepAlive);
      if (this.stream === response) {
        this.stream = undefined;
      }
    });
    for (const message of this.untold.values()) {
      writeEvent(response, message);
    }
    this.untold.clear();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this.answer(isJSONRPCErrorResponse(message) ? withOldCode(message) : message, message.id);
      return;
    }
    const exchange = options?.relatedRequestId === undefined ? undefined : this.exchanges.get(options.relatedRequestId);
    if (exchange?.mayStream) {
      this.beginStream(exchange);
      writeEvent(exchange.response, message);
    } else if (this.stream !== undefined && options?.relatedRequestId === undefined) {
      writeEvent(this.stream, message);
    } else if (isJSONRPCNotification(message) && isChange(message.method)) {
      this.untold.set(`${message.method} ${String(message.params?.['uri'])}`, message);
    } else if (isJSONRPCRequest(message)) {
      throw new Error('The client has no stream on which it could be asked.');
    }
  }

  async close(): Promise<void> {
    if (this.store.isDisposed) {
      return;
    }
    this.store.dispose();
    this.stream?.end();
    for (const { response } of new Set(this.exchanges.values())) {
      response.destroy();
    }
    this.exchanges.clear();
    this.onclose?.();
  }

  private open(exchange: Exchange): void {
    const { response, waiting } = exchange;
    for (const id of waiting) {
      this.exchanges.set(id, exchange);
    }
    // A client gives up on an answer that sends no headers for minutes, so a long one becomes a stream.
    exchange.keepAlive = exchange.mayStream ? this.keepAlive(response, () => this.beginStream(exchange)) : undefined;
    response.on('close', () => {
      if (exchange.keepAlive) {
        this.store.release(exchange.keepAlive);
      }
      // The client went away: there is nobody to answer, as streams are not resumed.
      for (const requestId of waiting) {
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
    if (exchange.response.headersSent) {
      writeEvent(exchange.response, message);
    } else {
      exchange.answers.push(message);
    }
    this.settle(id, exchange);
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
    if (response.headersSent) {
      response.end();
    } else if (answers.length > 0) {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': this.sessionId });
      response.end(JSON.stringify(batch ? answers : answers[0]));
    } else {
      response.writeHead(202).end();
    }
  }

  private beginStream({ response, answers }: Exchange): void {
    if (!response.headersSent) {
      beginStream(response, { 'mcp-session-id': this.sessionId });
      for (const answer of answers) {
        writeEvent(response, answer);
      }
    }
  }

  private keepAlive(response: ServerResponse, before?: () => void): Disposable {
    let timer: Disposable | undefined;
    const next = (): void => {
      timer = this.clock.after(keepAliveMs, () => {
        before?.();
        writeComment(response);
        next();
      });
    };
    next();
    return this.store.add({ dispose: () => timer?.dispose() });
  }
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
