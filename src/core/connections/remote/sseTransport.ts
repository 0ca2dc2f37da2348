import {
  type FetchLike,
  type JSONRPCMessage,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client';
import { DisposableStore } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { NodeFetch } from './nodeFetch';
import { NodeResponse } from './nodeResponse';
import { EndpointError } from './remoteErrors';
import type { RemoteDependencies, RemoteTransport } from './remoteTypes';

/** How long the `endpoint` event may take; without it there is nowhere to send anything. */
const ENDPOINT_MS = 10_000;

/** The SDK's HTTP+SSE transport of 2024-11-05 over our own fetch. Its session is its stream: when that ends, it is closed. */
export class SseTransport implements RemoteTransport {
  onmessage: Transport['onmessage'];
  onerror: Transport['onerror'];
  onclose: Transport['onclose'];
  private readonly store = new DisposableStore();
  private readonly http: NodeFetch;
  private readonly exchange: FetchLike;
  private readonly inner: SSEClientTransport;
  private failure: unknown;
  private open = false;
  private abandonStart: (reason: PorticoError) => void = () => undefined;

  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    private readonly dependencies: RemoteDependencies,
  ) {
    this.http = new NodeFetch(dependencies);
    this.exchange = dependencies.authorize?.(this.http.fetch) ?? this.http.fetch;
    this.inner = new SSEClientTransport(url, { fetch: this.fetch, requestInit: { headers }, redirectPolicy: 'follow' });
    this.inner.onmessage = (message) => this.onmessage?.(this.http.restore(message));
    this.inner.onerror = (error) => {
      this.onerror?.(error);
      if (this.open && error instanceof SseError) {
        void this.close();
      }
    };
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    const { clock, server } = this.dependencies;
    try {
      await new Promise<void>((resolve, reject) => {
        // The SDK's start never settles when it is closed meanwhile.
        this.abandonStart = reject;
        const late = (): void =>
          reject(
            new EndpointError(
              'CONNECT_FAILED',
              `Server "${server}" opened its event stream but named no address for messages within ${ENDPOINT_MS / 1000} s. Check whether its "url" is the SSE endpoint.`,
              { server },
            ),
          );
        const timer = this.store.add(clock.after(ENDPOINT_MS, late));
        this.inner
          .start()
          .then(resolve, reject)
          .finally(() => this.store.release(timer));
      });
      this.open = true;
    } catch (error) {
      await this.close();
      throw PorticoError.is(error) ? error : (this.failure ?? this.startFailure(error));
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.http.carry(message, (carried) => this.inner.send(carried));
  }

  /** There is no session to end but the stream itself. */
  async terminate(): Promise<void> {}

  async close(): Promise<void> {
    if (this.store.isDisposed) {
      return;
    }
    this.open = false;
    this.store.dispose();
    const { server } = this.dependencies;
    this.abandonStart(new PorticoError('CONNECTION_LOST', `Server "${server}" was stopped.`, { server, show: false }));
    await this.inner.close();
    this.http.dispose();
    this.onclose?.();
  }

  private readonly fetch: FetchLike = async (input, init = {}) => {
    if (init.method !== 'POST') {
      try {
        return await this.exchange(input, init);
      } catch (error) {
        // The event source below keeps the text alone.
        this.failure = error;
        throw error;
      }
    }
    const response = await this.exchange(input, init);
    if (response.ok) {
      // Answers come over the stream; whatever this reply holds is not waited for.
      await response.body?.cancel();
      return new NodeResponse({ status: 202 }).asResponse();
    }
    const text = await response.text();
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${response.status}: ${text}`, {
      status: response.status,
      statusText: response.statusText,
      text,
    });
  };

  /** Gives the SDK's ways to fail a start one shape: an HTTP status, or a sentence. */
  private startFailure(error: unknown): unknown {
    const { server } = this.dependencies;
    const fail = (what: string): PorticoError =>
      new PorticoError('CONNECT_FAILED', `Server "${server}" ${what} Check its "url".`, { server, cause: error });
    if (error instanceof SseError) {
      const { code: status = 0, message } = error;
      return status >= 300
        ? new SdkHttpError(SdkErrorCode.ClientHttpFailedToOpenStream, message, { status, statusText: '' })
        : fail('does not answer with an event stream.');
    }
    // What is left is the `endpoint` event.
    return new EndpointError(
      'CONNECT_FAILED',
      `Server "${server}" named an address for messages that is unreadable or not on its own origin; nothing is sent there. Check its "url".`,
      { server, cause: error },
    );
  }
}
