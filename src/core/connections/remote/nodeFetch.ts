import { setMaxListeners } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { FetchLike } from '@modelcontextprotocol/client';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { EventStreamCleaner } from './eventStream';
import { readReply } from '../readReply';
import { LargeEvents, Lifted } from './largeEvents';
import { toNetworkError } from './networkErrors';
import { NodeResponse } from './nodeResponse';
import { redirectTarget } from './redirects';

export interface NodeFetchOptions {
  /** The config key that failures name. */
  readonly server: string;
  /** The largest reply, and the largest event of a stream, in bytes. */
  readonly messageBytes: number;
}

/** Below the five seconds after which many servers close an idle connection without saying so. */
const IDLE_SOCKET_MS = 4_000;

interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * A `fetch` on node:http with kept connections, for the SDK's transports: half the time of the built-in one per call, and
 * no listener is left on a long-lived signal. Redirects stay within the origin. Rejects with PorticoError.
 */
export class NodeFetch implements Disposable {
  private readonly agents = {
    http: new http.Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS }),
    https: new https.Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS }),
  };

  private readonly lifted = new Lifted();

  constructor(private readonly options: NodeFetchOptions) {}

  /** A message from a stream as it was before a stand-in took the place of its weight. */
  restore<T extends object>(message: T): T {
    return this.lifted.restore(message);
  }

  readonly fetch: FetchLike = async (input, init = {}) => {
    let url = new URL(input);
    const method = init.method ?? 'GET';
    const headers = {
      'accept-encoding': 'identity',
      ...Object.fromEntries(init.headers instanceof Headers ? init.headers : new Headers(init.headers)),
    };
    const body = toText(init.body);
    const signal = init.signal ?? undefined;
    for (let hops = 0; ; hops += 1) {
      const reply = await this.exchange({ url, method, headers, body, signal });
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
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private exchange({ url, method, headers, body, signal }: Exchange): Promise<Reply> {
    const secure = url.protocol === 'https:';
    const { request } = secure ? https : http;
    const agent = secure ? this.agents.https : this.agents.http;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const sent = request({ ...urlToHttpOptions(url), method, headers, agent });
      const failure = (error: unknown): unknown =>
        signal?.aborted ? signal.reason : toNetworkError(error, url, this.options.server);
      if (signal) {
        const abort = (): void => void sent.destroy();
        // One signal serves every request of a transport, and more than ten may be under way.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', abort, { once: true });
        sent.once('close', () => signal.removeEventListener('abort', abort));
      }
      sent.once('response', (message) => resolve({ message, failure }));
      sent.on('error', (error) => reject(failure(error)));
      sent.end(body);
    });
  }

  private async toResponse({ message, failure }: Reply): Promise<NodeResponse> {
    const { statusCode: status = 0, statusMessage: statusText = '' } = message;
    const headers = toHeaders(message);
    const streamed = isEventStream(headers);
    const body = streamed ? this.stream(message, failure) : await this.collect(message, failure);
    if (body instanceof Buffer && isUnlabelledJson(headers, body)) {
      headers.set('content-type', 'application/json');
    }
    const read = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map((each: unknown) => readReply(each, this.options.server))
        : readReply(value, this.options.server);
    return new NodeResponse({ status, statusText, headers, body, read });
  }

  private collect(message: IncomingMessage, failure: (error: unknown) => unknown): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      message.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > this.options.messageBytes) {
          reject(this.tooLarge());
          message.destroy();
        }
      });
      message.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
      message.on('error', (error) => reject(failure(error)));
    });
  }

  private stream(message: IncomingMessage, failure: (error: unknown) => unknown): ReadableStream<Uint8Array> {
    const cleaner = new EventStreamCleaner(this.options.messageBytes, () => this.tooLarge());
    const events = new LargeEvents(this.lifted);
    /** Large events are read while the message is paused, so that what follows them waits. */
    let reading: Promise<void> | undefined;
    let isOpen = true;
    const close = (): void => {
      isOpen = false;
      events.dispose();
    };
    return new ReadableStream<Uint8Array>({
      start(controller) {
        const fail = (error: unknown): void => {
          if (isOpen) {
            close();
            controller.error(error);
          }
          message.destroy();
        };
        const pass = (bytes: Buffer | undefined): void => {
          if (isOpen && bytes && bytes.length > 0) {
            controller.enqueue(bytes);
          }
          if ((controller.desiredSize ?? 0) <= 0) {
            message.pause();
          }
        };
        const passLater = async (bytes: Promise<Buffer>): Promise<void> => {
          message.pause();
          try {
            pass(await bytes);
          } catch (error) {
            fail(error);
          }
          reading = undefined;
          if ((controller.desiredSize ?? 0) > 0) {
            message.resume();
          }
        };
        const take = (bytes: Buffer | Promise<Buffer> | undefined): void => {
          if (bytes instanceof Promise) {
            reading = passLater(bytes);
          } else {
            pass(bytes);
          }
        };
        message.on('data', (chunk: Buffer) => {
          try {
            take(events.take(cleaner.clean(chunk)));
          } catch (error) {
            fail(error);
          }
        });
        message.on('end', () => {
          const end = (): void => {
            if (isOpen) {
              isOpen = false;
              controller.close();
            }
          };
          if (cleaner.hasRest) {
            // Some servers end with their last event without the empty line that ends it.
            take(events.rest());
          }
          void (reading === undefined ? end() : reading.then(end));
        });
        message.on('error', (error) => {
          if (isOpen) {
            isOpen = false;
            controller.error(failure(error));
          }
        });
      },
      pull: () => {
        if (!reading) {
          message.resume();
        }
      },
      cancel: () => {
        close();
        message.destroy();
      },
    });
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

export function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/** JSON-RPC under no content type, or under that of plain text. */
function isUnlabelledJson(headers: Headers, body: Buffer): boolean {
  return (
    /^(text\/plain\s*(;.*)?)?$/i.test(headers.get('content-type') ?? '') &&
    /^\s*[{[]/.test(body.toString('utf8', 0, 64)) &&
    body.includes('"jsonrpc"')
  );
}

function toHeaders(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) {
      headers.append(name, value);
    }
  }
  return headers;
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
