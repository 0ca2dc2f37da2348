import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Clock, systemClock } from '../../../src/base/clock';
import { type Disposable, DisposableStore } from '../../../src/base/disposable';
import { NullLogger } from '../../../src/base/log';
import type { Hub, ServerView } from '../../../src/core/hubTypes';
import { Gateway } from '../../../src/server/gateway/gateway';
import { routeOf } from '../../../src/server/gateway/routes';
import type { ListenerAddress } from '../../../src/server/serverTypes';
import { createTestListener } from './localListener';
import { type Answer, send, socketFetch } from './socketFetch';

export interface HarnessOptions {
  readonly trusted?: (view: ServerView) => boolean;
  readonly published?: (view: ServerView) => boolean;
  readonly clock?: Clock;
}

/** A gateway on a listening socket, with raw requests and SDK clients against it. */
export class GatewayHarness implements Disposable {
  private readonly store = new DisposableStore();

  private constructor(
    readonly gateway: Gateway,
    readonly address: ListenerAddress,
    readonly token: string,
    disposables: readonly Disposable[],
  ) {
    disposables.forEach((item) => this.store.add(item));
  }

  static async open(hub: Hub, options: HarnessOptions = {}): Promise<GatewayHarness> {
    const test = createTestListener();
    const gateway = new Gateway({
      hub,
      log: new NullLogger(),
      clock: options.clock ?? systemClock,
      isTrusted: options.trusted ?? (() => false),
      isPublished: options.published ?? (() => true),
    });
    test.listener.addRoute(gateway.route);
    return new GatewayHarness(gateway, await test.listener.start(), test.listener.token, [test, gateway]);
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
  }

  path(id: string): string {
    return `/gateway/${routeOf(id)}`;
  }

  /** Posts JSON (or text as it is) to an endpoint. */
  post(id: string, message: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    return send(this.address, { path: this.path(id), body, headers: { ...this.headers, ...headers } });
  }

  /** Opens a session the way the editor's client does, and returns its header. */
  async session(id: string, protocolVersion = '2025-11-25'): Promise<Record<string, string>> {
    const answer = await this.post(id, initialize(protocolVersion));
    return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
  }

  async client(
    id: string,
    mode: 'legacy' | 'modern' = 'legacy',
    prepare: (client: Client) => void = () => {},
  ): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1' },
      mode === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    prepare(client);
    const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${this.path(id)}`), {
      fetch: socketFetch(this.address),
      requestInit: { headers: { authorization: `Bearer ${this.token}` } },
    });
    await client.connect(transport);
    this.store.defer(() => void client.close());
    return client;
  }

  dispose(): void {
    this.store.dispose();
  }
}

export function initialize(protocolVersion: string, id: string | number = 1): unknown {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'editor', version: '1' } };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

export function rpc(method: string, params: unknown = {}, id: unknown = 7): unknown {
  return { jsonrpc: '2.0', id, method, params };
}
