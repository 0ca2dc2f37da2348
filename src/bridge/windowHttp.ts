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
  /** Only hears what the window tells, and ends where another window takes over. */
  readonly isListening?: boolean;
  /** Once everything is with the window. */
  onSent?(): void;
  /** Each message of an answer that is a stream. */
  onMessage?(text: string): void;
  /** Once the headers of a stream are there. */
  onStream?(): void;
}

/**
 * A failure to get an answer; `sent` is how much of the request went out until then. A window begins to work on it once it has
 * all of it. Where nothing went out nobody was there; who cuts a request off may be there still.
 */
export class WindowLost extends Error {
  constructor(
    readonly sent: 'nothing' | 'part' | 'all',
    cause: unknown,
  ) {
    super('The window does not answer.', { cause });
  }
}

export function sentUntil(error: unknown): WindowLost['sent'] {
  return error instanceof WindowLost ? error.sent : 'nothing';
}

/** Talks to one window, straight to its address: proxies of the surroundings have no say. */
export class WindowHttp {
  private readonly left = new AbortController();
  private running = 0;

  constructor(
    readonly record: WindowRecord,
    private readonly path: string,
    /** The agent's id, where the bridge was told. */
    private readonly client?: string,
  ) {}

  /** Whether it has something to answer. */
  get isBusy(): boolean {
    return this.running > 0;
  }

  /** Another window takes over: what listens to this one ends. */
  leave(): void {
    this.left.abort();
  }

  /**
   * Settles once the window has said anything, or is not there any more: a GET without a session is answered at once, and does
   * nothing. Never rejects.
   */
  async greet(): Promise<void> {
    try {
      const response = await this.open({ method: 'GET', headers: {}, signal: this.left.signal });
      response.destroy();
    } catch {
      // Whoever is not there is missed by the next request.
    }
  }

  /** Rejects with WindowLost where the window is not there, or goes away before the end of its answer. */
  async call(call: HttpCall): Promise<HttpAnswer> {
    if (call.isListening) {
      const signals = [this.left.signal, ...(call.signal ? [call.signal] : [])];
      return this.exchange({ ...call, signal: AbortSignal.any(signals) });
    }
    this.running += 1;
    try {
      return await this.exchange(call);
    } finally {
      this.running -= 1;
    }
  }

  private async exchange(call: HttpCall): Promise<HttpAnswer> {
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
      throw new WindowLost('all', error);
    }
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: Buffer.concat(chunks).toString('utf8'),
      streamed,
    };
  }

  private open({ method, headers, body, signal, onSent }: HttpCall): Promise<IncomingMessage> {
    const { address, clientTokens } = this.record;
    const token = (this.client === undefined ? undefined : ownToken(clientTokens, this.client)) ?? this.record.token;
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
      let sent: WindowLost['sent'] = 'nothing';
      request.on('socket', (socket) => {
        socket.once('connect', () => (sent = 'part'));
      });
      request.on('finish', () => {
        // Node tells of the end of writing also where that has failed, before it tells of the failure.
        if (request.socket?.destroyed === false && request.socket.errored === null) {
          sent = 'all';
        }
        onSent?.();
      });
      request.on('error', (error) => {
        onSent?.();
        reject(new WindowLost(sent, error));
      });
      request.end(body);
    });
  }
}

function ownToken(tokens: WindowRecord['clientTokens'], client: string): string | undefined {
  return Object.hasOwn(tokens, client) ? tokens[client] : undefined;
}
