import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface WireRequest {
  readonly id?: number;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

/** A Streamable HTTP server with sessions that a test can forget or refuse; keeps what it was asked. */
export class FakeEndpoint {
  readonly seen: string[] = [];
  /** How many of the next `initialize` are answered 404. */
  refusals = 0;
  tools = ['echo'];
  /** 404 as the spec has it, or the 400 that some servers give. */
  lostStatus = 404;
  private session: string | undefined;
  private count = 0;
  private server: Server | undefined;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  forget(): void {
    this.session = undefined;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const { server } = this;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (request.method !== 'POST') {
      this.seen.push(`${request.method} ${String(id)}`);
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      return;
    }
    let body = '';
    for await (const chunk of request) {
      body += String(chunk);
    }
    const message = JSON.parse(body) as WireRequest;
    this.seen.push(`${message.method} ${String(id)}`);
    if (message.method === 'initialize') {
      if (this.refusals > 0) {
        this.refusals -= 1;
        response.writeHead(404).end('no');
        return;
      }
      this.count += 1;
      this.session = `s${this.count}`;
      response.setHeader('mcp-session-id', this.session);
    } else if (message.method === 'server/discover') {
      response.writeHead(400).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no' } }));
      return;
    } else if (id !== this.session) {
      response.writeHead(this.lostStatus).end('Server not initialized');
      return;
    }
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: this.result(message) }));
  }

  private result({ method, params }: WireRequest): unknown {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'endpoint', version: '1' },
        };
      case 'tools/list':
        return { tools: this.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) };
      default:
        return { content: [{ type: 'text', text: JSON.stringify(params?.['arguments']) }] };
    }
  }
}
