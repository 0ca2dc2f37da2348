import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signal } from '@preact/signals-core';
import { type Clock, systemClock } from '../../../../../src/base/clock';
import { Emitter } from '../../../../../src/base/emitter';
import { NullLogFactory } from '../../../../../src/base/log';
import { MemorySecrets } from '../../../../../src/base/storage';
import type { AuthSettings, ServerDefinition } from '../../../../../src/core/config/configTypes';
import type { AuthorizationUi, AuthPorts, SharedSecrets } from '../../../../../src/core/connections/auth/authTypes';
import { FileLock } from '../../../../../src/core/connections/auth/fileLock';
import { ServerAuth } from '../../../../../src/core/connections/auth/serverAuth';
import type { NetworkSettings } from '../../../../../src/core/connections/remote/networkTypes';
import { NodeFetch } from '../../../../../src/core/connections/remote/nodeFetch';

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  /** Instead of `body`: what is sent as it is. */
  readonly text?: string;
  readonly headers?: Record<string, string>;
  /** The body comes, and never ends. */
  readonly isEndless?: boolean;
}

/** One loopback host that is server and authorization server at once; a test says what each path answers. */
export class FakeAuth {
  readonly paths: Record<string, (body: URLSearchParams, headers: IncomingMessage['headers'], text: string) => Answer> =
    {};
  readonly seen: string[] = [];
  /** The parameters of each page that a browser was sent to. */
  readonly pages: URLSearchParams[] = [];
  /** What the browser brings back beside the state. */
  comesBack: Record<string, string> = { code: 'good' };
  readonly secrets = new MemorySharedSecrets();
  private readonly auths: ServerAuth[] = [];
  private server: Server | undefined;
  origin = '';

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.paths['/mcp'] = (_, { authorization }) => (authorization === 'Bearer token' ? { body: {} } : { status: 401 });
    this.paths['/.well-known/oauth-protected-resource/mcp'] = () => ({ body: this.resource() });
    this.paths['/.well-known/oauth-authorization-server'] = () => ({ body: this.metadata() });
    this.paths['/register'] = () => ({
      status: 201,
      body: { client_id: 'registered', redirect_uris: ['http://127.0.0.1:1/auth'], token_endpoint_auth_method: 'none' },
    });
    this.paths['/token'] = () => ({ body: { access_token: 'token', token_type: 'Bearer' } });
  }

  resource(more: object = {}): object {
    return { resource: `${this.origin}/mcp`, authorization_servers: [this.origin], ...more };
  }

  metadata(more: object = {}): object {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      ...more,
    };
  }

  auth(
    settings: AuthSettings = {},
    more: {
      readonly url?: string;
      readonly headers?: Record<string, string>;
      readonly network?: NetworkSettings;
      readonly clock?: Clock;
    } = {},
  ): ServerAuth {
    const { url = `${this.origin}/mcp`, headers = {}, ...dependencies } = more;
    const definition = { id: 's', key: 's', launchDigest: 'd', launch: { type: 'http', url, headers: {} } };
    const auth = new ServerAuth(
      definition as unknown as ServerDefinition,
      { type: 'http', url, headers, auth: settings },
      {
        ports: this.ports(),
        lock: new FileLock(undefined, systemClock),
        clock: systemClock,
        log: new NullLogFactory().own,
        ...dependencies,
      },
    );
    this.auths.push(auth);
    return auth;
  }

  /** Makes it a whole server of MCP (2025-11-25) with one tool, for those who come with the token. */
  serveMcp(token = 'token'): void {
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'fake', version: '1' },
      },
      'tools/list': { tools: [{ name: 'whoAmI', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'somebody' }] },
    };
    this.paths['/mcp'] = (_body, { authorization }, text) => {
      if (authorization !== `Bearer ${token}`) {
        return { status: 401 };
      }
      const { id, method = '' } = (text === '' ? {} : JSON.parse(text)) as { id?: number; method?: string };
      if (id === undefined) {
        return { status: text === '' ? 405 : 202 };
      }
      const result = results[method];
      const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
      return { body: { jsonrpc: '2.0', id, ...answer } };
    };
  }

  signIn(settings?: AuthSettings): Promise<void> {
    return this.auth(settings).signIn(new AbortController().signal);
  }

  /** Sends one request as a transport does, and gives its status. */
  async request(auth: ServerAuth, signal?: AbortSignal): Promise<number> {
    const http = new NodeFetch({ server: 's', messageBytes: 1_000_000 });
    try {
      return (
        await auth.wrap(http.fetch)(`${this.origin}/mcp`, { method: 'POST', body: '{}', ...(signal ? { signal } : {}) })
      ).status;
    } finally {
      http.dispose();
    }
  }

  async close(): Promise<void> {
    this.auths.forEach((auth) => auth.dispose());
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
  }

  /** As one window has them; all of them share the secrets. */
  ports(): AuthPorts {
    return { secrets: this.secrets, ui: this.ui, clientMetadataUrl: signal(undefined) };
  }

  private readonly ui: AuthorizationUi = {
    begin: async (_server, state) => ({
      way: 'loopback',
      redirectUrl: 'http://127.0.0.1:1/auth',
      go: async (url) => {
        this.pages.push(url.searchParams);
        return new URLSearchParams({ state, ...this.comesBack });
      },
      dispose: () => undefined,
    }),
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    let text = '';
    for await (const chunk of request) {
      text += String(chunk);
    }
    this.seen.push(path);
    const {
      status = 200,
      body = {},
      text: raw,
      headers,
      isEndless = false,
    } = this.paths[path]?.(new URLSearchParams(text), request.headers, text) ?? {
      status: 404,
    };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (isEndless) {
      response.write(' ');
    } else {
      response.end(raw ?? JSON.stringify(body));
    }
  }
}

/** Tells of changes as the editor does, in all windows at once. */
export class MemorySharedSecrets extends MemorySecrets implements SharedSecrets {
  private readonly changed = new Emitter<string>();
  readonly onDidChange = this.changed.event;

  override async set(key: string, value: string): Promise<void> {
    await super.set(key, value);
    this.changed.fire(key);
  }

  override async delete(key: string): Promise<void> {
    await super.delete(key);
    this.changed.fire(key);
  }
}
