import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An MCP server of 2025-11-25 behind tokens: `read` wants the scope mcp:read, `write` mcp:write as well. */
export class ProtectedServer {
  /** The tokens that came with requests. */
  readonly tokens: string[] = [];
  /** Tokens that it takes no more, whatever their issuer says. */
  readonly refused = new Set<string>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
    private readonly issuer: () => string,
    private readonly scopesOf: (token: string, resource: string) => Promise<readonly string[] | undefined>,
  ) {}

  static async listen(
    issuer: () => string,
    scopesOf: (token: string, resource: string) => Promise<readonly string[] | undefined>,
  ): Promise<ProtectedServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const it = new ProtectedServer(server, origin, issuer, scopesOf);
    server.on('request', (request, response) => void it.answer(request, response));
    return it;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    const metadata = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      json(200, {
        resource: this.url,
        authorization_servers: [this.issuer()],
        scopes_supported: ['mcp:read'],
        bearer_methods_supported: ['header'],
      });
      return;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const scopes = token === undefined || this.refused.has(token) ? undefined : await this.scopesOf(token, this.url);
    if (token !== undefined) {
      this.tokens.push(token);
    }
    if (!scopes) {
      json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    let body = '';
    for await (const chunk of request) {
      body += String(chunk);
    }
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: { name?: string } };
    if (method === 'tools/call' && params?.name === 'write' && !scopes.includes('mcp:write')) {
      json(403, {}, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="mcp:write"' });
      return;
    }
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = results[method]?.(params?.name ?? '');
    json(200, { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'unknown' } }) });
  }
}

const results: Readonly<Record<string, (name: string) => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'protected', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': (name) => ({ content: [{ type: 'text', text: `${name} done` }] }),
};
