import {
  type FetchLike,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { DisposableStore } from '../../../base/disposable';
import type { PorticoError } from '../../../base/errors';
import { ReplyLost } from '../replyLost';
import { NodeFetch, REPEATABLE_HEADER, type StreamReader } from './nodeFetch';
import { NodeResponse } from './nodeResponse';
import { ReconnectPace } from './reconnectPace';
import { LegacySseAnswer, refusedNotification } from './remoteErrors';
import { isEventStream } from './replyHeaders';
import { type Asked, NotAnswered, readRequestReply } from './requestReply';
import type { RemoteDependencies, RemoteTransport } from './remoteTypes';

/** Tells the fetch below what a POST carries; taken off before it is sent. */
const KIND_HEADER = 'portico-kind';
/** Tells it which request a POST carries. */
const ID_HEADER = 'portico-id';
const LAST_EVENT_HEADER = 'last-event-id';
const HANDSHAKES = new Set(['initialize', 'server/discover']);
const AS_HANDSHAKE = { [KIND_HEADER]: 'handshake' };
/** How the stream of the legacy transport begins, and how many characters decide that one does not. */
const LEGACY_MARK = /^\uFEFF?(?::.*\n|\n)*event: ?endpoint\n/;
const LEGACY_MARK_LENGTH = 32;
const TERMINATE_MS = 2_000;
/** A server's `retry` above this is taken for this: a timer cannot even hold what some send. */
const MOST_RETRY_MS = 3_600_000;
/** JSON-RPC: the first of the codes left to implementations. */
const CONNECTION_LOST = -32000;

/** A request whose answer has not come. */
interface Waiting {
  readonly id: RequestId;
  /** Where its stream is resumed. */
  token?: string;
}

/**
 * The SDK's Streamable HTTP over our own fetch, forgiving where servers are odd: a refused listening stream is none, any
 * 2xx accepts a notification, a stream that ends without its answer fails the request at once.
 */
export class StreamableTransport implements RemoteTransport {
  readonly hasPerRequestStream = true;
  onmessage: Transport['onmessage'];
  onerror: Transport['onerror'];
  onclose: Transport['onclose'];
  onunheard: RemoteTransport['onunheard'];
  private readonly store = new DisposableStore();
  private readonly http: NodeFetch;
  private readonly exchange: FetchLike;
  private readonly inner: StreamableHTTPClientTransport;
  private readonly pace = new ReconnectPace();
  private readonly unanswered = new Map<RequestId, Waiting>();
  /** By their ids as JSON: the requests on their way. */
  private readonly asked = new Map<string, Asked>();
  /** Requests that were accepted without an answer, while one may yet come over the listening stream. */
  private readonly accepted = new Map<RequestId, NotAnswered>();
  /** The last of them has not been answered so far. */
  private leavesUnanswered = false;
  /** A message on the listening stream was too large: it is not asked for again. */
  private skipsMissed = false;
  private hasListened = false;
  /** Listening streams that have been asked for and not granted. */
  private awaitedStreams = 0;

  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    private readonly dependencies: RemoteDependencies,
  ) {
    this.http = new NodeFetch(dependencies);
    this.exchange = dependencies.authorize?.(this.http.fetch) ?? this.http.fetch;
    this.inner = new StreamableHTTPClientTransport(url, {
      fetch: this.fetch,
      requestInit: { headers },
      // Ours stays within the origin by itself.
      redirectPolicy: 'follow',
      reconnectionOptions: {
        initialReconnectionDelay: ReconnectPace.firstMs,
        maxReconnectionDelay: ReconnectPace.firstMs,
        reconnectionDelayGrowFactor: 1,
        maxRetries: Infinity,
      },
      reconnectionScheduler: (reconnect, delay) => this.reconnectLater(reconnect, delay),
    });
    this.inner.onmessage = (received) => {
      const message = this.http.restore(received);
      if ('method' in message) {
        this.pace.used();
      } else if (message.id !== undefined) {
        this.leavesUnanswered &&= !this.accepted.has(message.id);
        this.forget(message.id);
      }
      this.onmessage?.(message);
    };
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => this.onclose?.();
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!('method' in message && 'id' in message)) {
      this.forgetCancelled(message);
      try {
        const headers = { ...options.headers, [KIND_HEADER]: 'oneWay' };
        await this.http.carry(message, (carried) => this.inner.send(carried, { ...options, headers }));
      } catch (error) {
        throw 'method' in message ? refusedNotification(error, message.method, this.dependencies.server) : error;
      }
      return;
    }
    const { id, method } = message;
    const key = JSON.stringify(id);
    const headers = { ...options.headers, [ID_HEADER]: key, ...(HANDSHAKES.has(method) ? AS_HANDSHAKE : {}) };
    this.asked.set(key, { id, method, server: this.dependencies.server });
    try {
      await this.ask(message, { ...options, headers });
    } finally {
      this.asked.delete(key);
    }
  }

  private async ask(message: JSONRPCMessage & Pick<Waiting, 'id'>, options: TransportSendOptions): Promise<void> {
    const { id } = message;
    if (options.onRequestStreamEnd) {
      await this.http.carry(message, (carried) => this.inner.send(carried, options));
      return;
    }
    options.requestSignal?.addEventListener('abort', () => this.forget(id), { once: true });
    const waiting: Waiting = { id };
    this.unanswered.set(id, waiting);
    try {
      const sent: TransportSendOptions = {
        ...options,
        onresumptiontoken: (token) => {
          waiting.token = token;
          options.onresumptiontoken?.(token);
        },
        onRequestStreamEnd: () => this.failUnanswered(id),
      };
      await this.http.carry(message, (carried) => this.inner.send(carried, sent));
    } catch (error) {
      this.forget(id);
      throw error;
    }
  }

  hint(): string | undefined {
    return this.leavesUnanswered ? 'It had accepted the request (HTTP 202) and left the answer out.' : undefined;
  }

  async terminate(): Promise<void> {
    if (this.inner.sessionId === undefined) {
      return;
    }
    this.inner.onerror = undefined;
    await new Promise<void>((resolve) => {
      this.store.add(this.dependencies.clock.after(TERMINATE_MS, resolve));
      // A server may refuse (405) or be gone; the session ends with the transport either way.
      this.inner.terminateSession().then(resolve, () => resolve());
    });
  }

  async close(): Promise<void> {
    if (this.store.isDisposed) {
      return;
    }
    this.store.dispose();
    // First the requests, so that they fail as ended by us and not as broken.
    await this.inner.close();
    this.http.dispose();
  }

  private readonly fetch: FetchLike = async (input, init = {}) => {
    const headers = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
    const kind = take(headers, KIND_HEADER);
    const asked = this.asked.get(take(headers, ID_HEADER) ?? '');
    if (init.method === 'GET') {
      return this.listen(() => this.reach(input, { ...init, headers }, this.listener(headers)));
    }
    const reader: StreamReader = asked
      ? {
          id: asked.id,
          ...(this.unanswered.has(asked.id) ? { tooLarge: (error) => this.fail(asked.id, error) } : {}),
        }
      : {};
    if (asked?.method !== 'tools/call') {
      headers.set(REPEATABLE_HEADER, 'yes');
    }
    const response = await this.reach(input, { ...init, headers }, reader);
    if (kind === 'oneWay' && response.ok) {
      // Waiting for the body would wait for as long as the server keeps a stream open.
      await response.body?.cancel();
      return new NodeResponse({ status: 202 }).asResponse();
    }
    const whole = kind === 'handshake' && response.ok && response.body ? await refuseLegacyStream(response) : response;
    return asked ? this.answered(whole, asked) : whole;
  };

  private async reach(input: string | URL, init: RequestInit, reader: StreamReader): Promise<Response> {
    const reply = await this.exchange(input, init);
    if (reply.body) {
      this.http.readBy(reply.body, reader);
    }
    return reply;
  }

  /**
   * Every revision wants the answer in the reply to the POST. Some servers leave it to the listening stream all the same,
   * which works; so only where there is none, a reply without an answer is the end.
   */
  private async answered(reply: Response, asked: Asked): Promise<Response> {
    try {
      return await readRequestReply(reply, asked);
    } catch (error) {
      if (!(error instanceof NotAnswered) || !(this.hasListened || this.awaitedStreams > 0)) {
        throw error;
      }
      this.accepted.set(asked.id, error);
      this.leavesUnanswered = true;
      return new NodeResponse({ status: 202 }).asResponse();
    }
  }

  /** What happens where a message is too large on a stream that a GET opens. */
  private listener(headers: Headers): StreamReader {
    const token = headers.get(LAST_EVENT_HEADER);
    const resumed = [...this.unanswered.values()].find((waiting) => token !== null && waiting.token === token);
    if (resumed) {
      return { id: resumed.id, tooLarge: (error) => this.fail(resumed.id, error) };
    }
    if (this.skipsMissed) {
      headers.delete(LAST_EVENT_HEADER);
      this.skipsMissed = false;
    }
    return {
      tooLarge: (error) => {
        // Asked for what was missed, the server would send it again, and again.
        this.skipsMissed = true;
        this.onerror?.(error);
        return false;
      },
    };
  }

  private async listen(open: () => Promise<Response>): Promise<Response> {
    this.awaitedStreams += 1;
    try {
      return this.listening(await open());
    } finally {
      this.awaitedStreams -= 1;
      if (!this.hasListened && this.awaitedStreams === 0) {
        this.accepted.forEach((error, id) => this.fail(id, error));
      }
    }
  }

  /**
   * A GET refused with whatever status means "no listening stream", as 405 does. Whether the session is lost is decided
   * by POSTs alone. Only where there was a stream before, a passing trouble is tried again.
   */
  private listening(response: Response): Response {
    if (response.ok && isEventStream(response.headers)) {
      this.hasListened = true;
      this.pace.opened(this.dependencies.clock.now());
      return response;
    }
    const passing = this.hasListened && (response.status >= 500 || response.status === 429);
    if (passing || response.status === 401 || response.status === 403) {
      return response;
    }
    if (this.hasListened) {
      this.hasListened = false;
      this.onunheard?.();
    }
    return new NodeResponse({ status: 405 }).asResponse();
  }

  /** While a request waits, its stream may be the one to resume: then the server's own `retry` holds without growth. */
  private reconnectLater(reconnect: () => void, wanted: number): () => void {
    const { clock } = this.dependencies;
    const delay = Math.min(wanted, MOST_RETRY_MS);
    const wait = this.unanswered.size > 0 ? Math.max(delay, ReconnectPace.leastMs) : this.pace.next(delay, clock.now());
    const timer = clock.after(wait, () => {
      this.store.release(timer);
      reconnect();
    });
    this.store.add(timer);
    return () => this.store.release(timer);
  }

  private failUnanswered(id: RequestId): void {
    const { server } = this.dependencies;
    this.fail(
      id,
      new ReplyLost(
        `Server "${server}" ended its reply without an answer. Try again; its own log may say why.`,
        server,
      ),
    );
  }

  /** True, as nobody is to ask for the rest of its answer. */
  private fail(id: RequestId, data: PorticoError): true {
    if (this.unanswered.has(id)) {
      this.forget(id);
      const error = { code: CONNECTION_LOST, message: data.message, data };
      this.onmessage?.({ jsonrpc: '2.0', id, error });
    }
    return true;
  }

  private forget(id: RequestId): void {
    this.unanswered.delete(id);
    this.accepted.delete(id);
  }

  private forgetCancelled(message: JSONRPCMessage): void {
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') {
        this.forget(id);
      }
    }
  }
}

/** Some servers of 2024-11-05 answer a POST with the event stream that a GET should open; its first event gives it away. */
async function refuseLegacyStream(response: Response): Promise<Response> {
  const [head, rest] = response.body?.tee() ?? [];
  if (!head || !rest) {
    return response;
  }
  const reader = head.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  let done = false;
  while (!done && text.length < LEGACY_MARK_LENGTH && !LEGACY_MARK.test(text)) {
    const read = await reader.read();
    done = read.done;
    text += decoder.decode(read.value, { stream: true });
  }
  // Not awaited: a half of a tee settles only once both are cancelled.
  void reader.cancel();
  if (LEGACY_MARK.test(text)) {
    await rest.cancel();
    throw new LegacySseAnswer();
  }
  return withBody(response, rest);
}

/** What a header tells our own fetch; it is not sent. */
function take(headers: Headers, name: string): string | undefined {
  const value = headers.get(name) ?? undefined;
  headers.delete(name);
  return value;
}

function withBody({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  return new NodeResponse({ status, statusText, headers, body }).asResponse();
}
