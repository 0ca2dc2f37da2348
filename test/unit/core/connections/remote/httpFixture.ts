import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the fixture saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The parsed body of a POST. */
  readonly message: {
    readonly id?: number | string;
    readonly method?: string;
    readonly params?: Record<string, unknown>;
  };
}

export type Handler = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void;

/** A raw HTTP server on a free port of the loopback that records what it is asked. */
export class HttpFixture {
  readonly seen: Seen[] = [];
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(handler: Handler): Promise<HttpFixture> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const { method = '', url: path = '', headers } = request;
        const seen = { method, path, headers, body, message: body === '' ? {} : (JSON.parse(body) as Seen['message']) };
        fixture.seen.push(seen);
        handler(seen, response, request);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const fixture = new HttpFixture(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return fixture;
  }

  /** The requests that carried this JSON-RPC method. */
  messages(method: string): Seen[] {
    return this.seen.filter((one) => one.message.method === method);
  }

  requests(method: string): Seen[] {
    return this.seen.filter((one) => one.method === method);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};

/** What a plain server of the session era answers to a request; nothing for a notification. */
export function answerTo({ message }: Seen, protocolVersion = '2025-11-25'): unknown {
  if (message.id === undefined) {
    return undefined;
  }
  const answer = (result: unknown): unknown => ({ jsonrpc: '2.0', id: message.id, result });
  switch (message.method) {
    case 'initialize':
      return answer({
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'fixture', version: '1' },
      });
    case 'tools/list':
      return answer({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
    case 'tools/call':
      return answer({ content: [{ type: 'text', text: 'done' }] });
    default:
      return { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } };
  }
}

/** Answers POSTs as a plain server does; everything else is refused with 405. */
export const plain: Handler = (seen, response) => {
  if (seen.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const answer = answerTo(seen);
  if (answer === undefined) {
    response.writeHead(202).end();
  } else {
    json(response, answer);
  }
};
