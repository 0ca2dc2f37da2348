import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { WindowRecord } from '../server/discovery/discoveryTypes';
import { EventLines } from './eventLines';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The whole body where the answer is no stream of messages. */
  readonly text: string;
  /** Whether its messages were given as they came. */
  readonly streamed: boolean;
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Once everything is with the window. */
  onSent?(): void;
  /** Each message of an answer that is a stream. */
  onMessage?(text: string): void;
  /** Once the headers of a stream are there. */
  onStream?(): void;
}

/** A failure to get an answer. `reached` tells whether the window may have begun to work on it. */
export class WindowLost extends Error {
  constructor(
    readonly reached: boolean,
    cause: unknown,
  ) {
    super('The window does not answer.', { cause });
  }
}

/** Talks to one window, straight to its address: proxies of the surroundings have no say. */
export class WindowHttp {
  constructor(
    readonly record: WindowRecord,
    private readonly path: string,
  ) {}

  /** Rejects with WindowLost where the window is not there, or goes away before the end of its answer. */
  async call(call: HttpCall): Promise<HttpAnswer> {
    const { onMessage } = call;
    const response = await this.open(call);
    const streamed = response.headers['content-type']?.startsWith('text/event-stream') === true;
    const chunks: Buffer[] = [];
    const events = new EventLines((text) => onMessage?.(text));
    if (streamed) {
      call.onStream?.();
    }
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        if (streamed) {
          events.push(chunk);
        } else {
          chunks.push(chunk);
        }
      }
    } catch (error) {
      throw new WindowLost(true, error);
    }
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: Buffer.concat(chunks).toString('utf8'),
      streamed,
    };
  }

  private open({ method, headers, body, signal, onSent }: HttpCall): Promise<IncomingMessage> {
    const { address, token } = this.record;
    const where =
      address.kind === 'tcp'
        ? { host: address.host, port: address.port, headers: { host: `${address.host}:${address.port}` } }
        : { socketPath: address.path, headers: { host: 'localhost' } };
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          ...where,
          // A connection for each: one that was kept may have been closed already, and nobody could tell what was reached.
          agent: false,
          method,
          path: this.path,
          headers: {
            ...where.headers,
            authorization: `Bearer ${token}`,
            accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
            ...headers,
          },
          ...(signal ? { signal } : {}),
        },
        resolve,
      );
      let connected = false;
      request.on('socket', (socket) => {
        socket.once('connect', () => (connected = true));
      });
      request.on('finish', () => onSent?.());
      request.on('error', (error) => {
        onSent?.();
        reject(new WindowLost(connected, error));
      });
      request.end(body);
    });
  }
}
