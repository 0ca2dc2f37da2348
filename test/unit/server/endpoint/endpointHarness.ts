import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { type Clock, systemClock } from '../../../../src/base/clock';
import { type Disposable, DisposableStore, toDisposable } from '../../../../src/base/disposable';
import { PorticoError } from '../../../../src/base/errors';
import { NullLogger } from '../../../../src/base/log';
import { ClientTokens, newToken } from '../../../../src/server/clientTokens';
import type { EndpointOffers } from '../../../../src/server/endpoint/endpointTypes';
import { McpEndpoint } from '../../../../src/server/endpoint/mcpEndpoint';
import type { AgentClient, ListenerAddress, ListenerLimits } from '../../../../src/server/serverTypes';
import { createTestListener, type TestListener } from '../localListener';
import { type Answer, send, socketFetch } from '../socketFetch';

/** One tool that says who called, and resources whose content the test sets. */
export class FakeOffers implements EndpointOffers {
  readonly contents = new Map<string, string>([
    ['test://a', '1'],
    ['test://b', '1'],
  ]);
  readonly watching: { readonly uri: string; readonly client: string; readonly changed: () => void }[] = [];
  onCall: (client: AgentClient, args: unknown, signal: AbortSignal) => Promise<string> = async ({ id }, args) =>
    `${id} ${JSON.stringify(args)}`;

  /** Sees each server that is made. */
  onServer: (server: Server) => void = () => {};

  readonly watched = {
    watch: async (uri: string, { id }: AgentClient, changed: () => void): Promise<Disposable> => {
      if (!this.contents.has(uri)) {
        throw new PorticoError('RESOURCE_UNKNOWN', `There is no ${uri}.`);
      }
      const entry = { uri, client: id, changed };
      this.watching.push(entry);
      return toDisposable(() => this.watching.splice(this.watching.indexOf(entry), 1));
    },
    fingerprint: async (uri: string): Promise<string> => this.contents.get(uri) ?? '',
  };

  /** Sets what a resource says, and tells those who watch it. */
  change(uri: string, text: string): void {
    this.contents.set(uri, text);
    this.watching.filter((entry) => entry.uri === uri).forEach(({ changed }) => changed());
  }

  createServer(client: AgentClient): Server {
    const capabilities = {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    };
    const server = new Server({ name: 'fake', version: '1' }, { capabilities });
    this.onServer(server);
    server.setRequestHandler('tools/list', async () => ({
      tools: [{ name: 'who', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => ({
      content: [{ type: 'text', text: await this.onCall(client, params.arguments, mcpReq.signal) }],
    }));
    server.setRequestHandler('resources/list', async () => ({ resources: [] }));
    server.setRequestHandler('prompts/list', async () => ({ prompts: [] }));
    return server;
  }
}

/** An endpoint at `/test` on a listening socket, with clients that have tokens of their own. */
export class EndpointHarness implements Disposable {
  readonly offers = new FakeOffers();
  private readonly store = new DisposableStore();
  readonly tokens: ClientTokens;
  readonly endpoint: McpEndpoint;
  readonly test: TestListener;
  private readonly given = new Map<string, string>();

  private constructor(clock: Clock, limits: Partial<ListenerLimits>) {
    this.tokens = this.store.add(new ClientTokens());
    this.test = this.store.add(createTestListener(limits, this.tokens, clock));
    this.endpoint = this.store.add(new McpEndpoint(this.offers, { log: new NullLogger(), clock }));
    this.test.listener.addRoute(this.endpoint.route('/test'));
  }

  address: ListenerAddress = { kind: 'socket', path: '' };

  static async open(clock: Clock = systemClock, limits: Partial<ListenerLimits> = {}): Promise<EndpointHarness> {
    const harness = new EndpointHarness(clock, limits);
    harness.address = await harness.test.listener.start();
    return harness;
  }

  /** The token of an agent, which is let in by asking for it. */
  token(id: string): string {
    const known = this.given.get(id);
    if (known !== undefined) {
      return known;
    }
    const token = newToken();
    this.given.set(id, token);
    this.tokens.add({ id, label: id }, token);
    return token;
  }

  headers(id: string): Record<string, string> {
    return {
      authorization: `Bearer ${this.token(id)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
  }

  post(id: string, message: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    return send(this.address, { path: '/test', body, headers: { ...this.headers(id), ...headers } });
  }

  async client(
    id: string,
    era: 'session' | 'stateless',
    prepare: (client: Client) => void = () => {},
  ): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1' },
      era === 'stateless' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    prepare(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/test'), {
        fetch: socketFetch(this.address),
        requestInit: { headers: { authorization: `Bearer ${this.token(id)}` } },
      }),
    );
    this.store.defer(() => void client.close());
    return client;
  }

  dispose(): void {
    this.store.dispose();
  }
}
