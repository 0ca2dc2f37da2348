import { setMaxListeners } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';
import type { FetchLike, RequestId } from '@modelcontextprotocol/client';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { readIncoming } from '../readIncoming';
import { decodedBody } from './decodedBody';
import { Lifted } from './eventReader';
import { type Body, LongBodies } from './longBodies';
import { trustContext } from './certificates';
import { switched, toNetworkError } from './networkErrors';
import { environmentNetwork, type NetworkSettings } from './networkTypes';
import { NodeResponse } from './nodeResponse';
import { proxyFor } from './proxies';
import { redirectTarget } from './redirects';
import { rateLimited, retryDelay } from './retryAfter';
import { isEventStream, settleType, toHeaders } from './replyHeaders';
import { withId } from './requestReply';
import { streamBody } from './streamBody';
import { type Proxy, proxyError, proxyHeaders, proxyRefusal, readProxy, TunnelAgent } from './tunnel';

export interface NodeFetchOptions {
  /** The config key that failures name. */
  readonly server: string;
  /** The largest reply, and the largest event of a stream, in bytes. */
  readonly messageBytes: number;
  /** The environment's alone when absent. */
  readonly network?: NetworkSettings;
}

/** Below the five seconds after which many servers close an idle connection without saying so. */
const IDLE_SOCKET_MS = 4_000;

const AGENT = { keepAlive: true, timeout: IDLE_SOCKET_MS };
const PROXY_WANTS_SIGN_IN = 407;
/** Of the body of a refusal no more is waited for, or taken: it is there for its sentence. */
const REFUSAL_MS = 1_000;
const REFUSAL_BYTES = 65_536;

/** Marks a POST that does no harm when the server gets it twice; it is not sent. */
export const REPEATABLE_HEADER = 'portico-repeatable';

/** What goes over the wire; `path` where it is not the URL's own. */
interface Sent {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly path?: string;
}

/** What is known of the reader of a stream. */
export interface StreamReader {
  /** The request that the stream is to answer. */
  readonly id?: RequestId;
  /**
   * Runs when the stream breaks off because of its size: the SDK keeps to itself why a stream has ended. True where it is
   * not even to know that, as it would ask for the rest.
   */
  readonly tooLarge?: (error: PorticoError) => boolean;
}

interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Body | undefined;
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * A `fetch` on node:http with kept connections, for the SDK's transports: half the time of the built-in one per call, and
 * no listener is left on a long-lived signal. Redirects stay within the origin. Rejects with PorticoError.
 */
export class NodeFetch implements Disposable {
  /** By what they reach: plain HTTP, TLS, or TLS through a proxy. */
  private readonly agents = new Map<string, http.Agent>();
  private readonly lifted = new Lifted();
  private readonly bodies = new LongBodies();
  private readonly signals = new WeakSet<AbortSignal>();
  private readonly readers = new WeakMap<object, StreamReader>();

  constructor(private readonly options: NodeFetchOptions) {}

  /** A message from a stream as it was before a stand-in took the place of its weight. */
  restore<T extends object>(message: T): T {
    return this.lifted.restore(message);
  }

  /** Runs `send` with a message that comes back here as the text of its ticket where it is long. */
  carry<T extends object>(message: T, send: (message: T) => Promise<void>): Promise<void> {
    return this.bodies.carry(message, send);
  }

  /** Says who reads this stream, before anything has come over it. */
  readBy(body: object, reader: StreamReader): void {
    this.readers.set(body, reader);
  }

  readonly fetch: FetchLike = async (input, init = {}) => {
    let url = typeof input === 'string' ? new URL(input) : input;
    const method = init.method ?? 'GET';
    const given = new Headers(init.headers);
    const isRepeatable = method !== 'POST' || given.has(REPEATABLE_HEADER);
    given.delete(REPEATABLE_HEADER);
    const headers = Object.assign({ 'accept-encoding': 'identity' }, Object.fromEntries(given));
    const text = toText(init.body);
    const body = text === undefined ? undefined : this.bodies.of(text);
    const signal = init.signal ?? undefined;
    let tries = 0;
    for (let hops = 0; ; hops += 1) {
      const reply = await this.exchange({ url, method, headers, body, isRepeatable, signal });
      const { statusCode = 0, headers: said } = reply.message;
      tries += 1;
      const delay = retryDelay(statusCode, said['retry-after'], tries, Date.now());
      if (delay !== undefined) {
        // The server has refused before it did anything, so that the request may go again, whatever it asks for.
        reply.message.resume();
        await waitFor(delay, signal);
        continue;
      }
      const limited =
        method === 'GET' ? undefined : rateLimited(statusCode, said['retry-after'], this.options.server, Date.now());
      if (limited) {
        reply.message.resume();
        throw limited;
      }
      const target = redirectTarget(reply.message, url, method, hops, this.options.server);
      if (!target) {
        return (await this.toResponse(reply)).asResponse();
      }
      reply.message.resume();
      url = target;
    }
  };

  /** Ends the kept connections. */
  dispose(): void {
    for (const agent of this.agents.values()) {
      agent.destroy();
    }
  }

  private exchange(exchange: Exchange): Promise<Reply> {
    const { url } = exchange;
    const { server, network = environmentNetwork } = this.options;
    const written = proxyFor(url, network, process.env);
    const proxy = written === undefined ? undefined : readProxy(written, network.strictProxy, server);
    if (url.protocol === 'https:') {
      return this.secureAgent(proxy, network.systemCertificates).then((agent) => this.send(exchange, exchange, agent));
    }
    if (!proxy) {
      return this.send(exchange, exchange, this.plainAgent());
    }
    return this.agentTo(proxy.url).then((agent) => this.send(exchange, byProxy(exchange, proxy), agent, proxy));
  }

  private plainAgent(): http.Agent {
    return this.kept('http', () => new http.Agent(AGENT));
  }

  private async agentTo({ protocol }: URL): Promise<http.Agent> {
    return protocol === 'https:' ? this.secureAgent(undefined, false) : this.plainAgent();
  }

  private async secureAgent(proxy: Proxy | undefined, system: boolean): Promise<http.Agent> {
    const secureContext = await trustContext(system);
    const options = { ...AGENT, ...(secureContext ? { secureContext } : {}) };
    return this.kept(`${proxy?.url.href ?? 'https'} ${system}`, () =>
      proxy ? new TunnelAgent(proxy, options) : new https.Agent(options),
    );
  }

  private kept(what: string, make: () => http.Agent): http.Agent {
    const agent = this.agents.get(what) ?? make();
    this.agents.set(what, agent);
    return agent;
  }

  /** `asked`: what the caller asked for; `to`: what is sent. They differ where a proxy takes whole addresses. */
  private send(asked: Exchange, to: Sent, agent: http.Agent, proxy?: Proxy): Promise<Reply> {
    const { url, signal, body } = asked;
    const { request } = to.url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const sent = request({
        ...urlToHttpOptions(to.url),
        ...(to.path === undefined ? {} : { path: to.path, auth: undefined, rejectUnauthorized: proxy?.strict }),
        method: asked.method,
        headers: to.headers,
        agent,
      });
      const failure = (error: unknown): unknown => {
        if (signal?.aborted) {
          return signal.reason;
        }
        if (error instanceof PorticoError) {
          return error;
        }
        return proxy && isNotReached(error)
          ? proxyError(proxy, `cannot be used (${error.code})`, error)
          : toNetworkError(error, url, this.options.server);
      };
      if (signal) {
        const abort = (): void => void sent.destroy();
        this.allowListeners(signal);
        signal.addEventListener('abort', abort, { once: true });
        sent.once('close', () => signal.removeEventListener('abort', abort));
      }
      let isAnswered = false;
      sent.once('response', (message) => {
        isAnswered = true;
        if (proxy && message.statusCode === PROXY_WANTS_SIGN_IN) {
          message.resume();
          reject(proxyRefusal(proxy, PROXY_WANTS_SIGN_IN));
        } else {
          resolve({ message, failure });
        }
      });
      sent.once('upgrade', (_message, socket) => {
        socket.destroy();
        reject(switched(url, this.options.server));
      });
      sent.on('error', (error) => {
        if (sent.reusedSocket && asked.isRepeatable && !isAnswered && !signal?.aborted && isClosed(error)) {
          // The server had ended the kept connection. Each of those is tried once, so that this comes to an end.
          resolve(this.send(asked, to, agent, proxy));
        } else {
          reject(failure(error));
        }
      });
      if (body === undefined || typeof body === 'string') {
        sent.end(body);
      } else {
        sent.setHeader('content-length', lengthOf(body));
        Readable.from(body).pipe(sent);
      }
    });
  }

  /** One signal serves every request of a transport, and more than ten may be under way. */
  private allowListeners(signal: AbortSignal): void {
    if (!this.signals.has(signal)) {
      this.signals.add(signal);
      setMaxListeners(0, signal);
    }
  }

  private async toResponse({ message, failure }: Reply): Promise<NodeResponse> {
    const { statusCode: status = 0, statusMessage: statusText = '' } = message;
    const headers = toHeaders(message);
    const decoded = decodedBody(message, this.options.server);
    const isRefusal = status < 200 || status >= 300;
    const body =
      isEventStream(headers) && !isRefusal
        ? this.stream(decoded, failure)
        : await this.collect(decoded, failure, isRefusal);
    settleType(headers, body instanceof Buffer ? body : undefined);
    const read = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map((each: unknown) => readIncoming(each, this.options.server))
        : readIncoming(value, this.options.server);
    return new NodeResponse({ status, statusText, headers, body, read });
  }

  private collect(body: Readable, failure: (error: unknown) => unknown, isRefusal: boolean): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const enough = (): void => {
        resolve(Buffer.concat(chunks, size));
        body.destroy();
      };
      if (isRefusal) {
        const timer = globalThis.setTimeout(enough, REFUSAL_MS);
        body.once('close', () => clearTimeout(timer));
      }
      body.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (isRefusal && size > REFUSAL_BYTES) {
          enough();
        } else if (size > this.options.messageBytes) {
          reject(this.tooLarge());
          body.destroy();
        }
      });
      body.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
      body.on('error', (error) => reject(failure(error)));
    });
  }

  private stream(source: Readable, failure: (error: unknown) => unknown): ReadableStream<Uint8Array> {
    const { messageBytes, server } = this.options;
    let staysOpen = false;
    const reader = (): StreamReader => this.readers.get(body) ?? {};
    const body: ReadableStream<Uint8Array> = streamBody(source, {
      messageBytes,
      lifted: this.lifted,
      read: (message) => readIncoming(withId(message, reader().id), server),
      failure,
      tooLarge: () => {
        const error = this.tooLarge();
        staysOpen = reader().tooLarge?.(error) ?? false;
        return error;
      },
      staysOpen: () => staysOpen,
    });
    return body;
  }

  private tooLarge(): PorticoError {
    const { server, messageBytes } = this.options;
    const limit = `${Math.floor(messageBytes / 1_048_576)} MB`;
    return new PorticoError(
      'MESSAGE_TOO_LARGE',
      `Server "${server}" sent a message larger than ${limit}. Ask it for less at a time.`,
      { server },
    );
  }
}

interface Reply {
  readonly message: IncomingMessage;
  /** What a failure while the body is read is reported as. */
  readonly failure: (error: unknown) => unknown;
}

/** Plain HTTP through a proxy: it takes the whole address (RFC 9112 3.2.2). */
function byProxy({ url, headers }: Exchange, proxy: Proxy): Sent {
  const { protocol, host, pathname, search } = url;
  return {
    url: proxy.url,
    path: `${protocol}//${host}${pathname}${search}`,
    headers: { ...headers, host, ...proxyHeaders(proxy) },
  };
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

function isNotReached(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/.test(String(error.code))
  );
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal ? { signal, ref: false } : { ref: false });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function toText(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) {
    return undefined;
  }
  if (typeof body === 'string') {
    return body;
  }
  throw new PorticoError('INTERNAL', 'Only text bodies are sent.');
}
