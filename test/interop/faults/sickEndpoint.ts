import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Deals with a request in its own way; false where it is to be answered as usual. */
export type Answer = (message: Message, response: ServerResponse, request: IncomingMessage) => boolean;

export interface Endpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** A Streamable HTTP server of the session era with one tool, and one bad habit. */
export async function openSickEndpoint(answer: Answer): Promise<Endpoint> {
  const server = createServer((request, response) => void respond(request, response, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function sendJson(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  let body = '';
  for await (const chunk of request) {
    body += String(chunk);
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const message = JSON.parse(body) as Message;
  if (answer(message, response, request)) {
    return;
  }
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result = resultOf(message);
  sendJson(response, result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: 'No' } });
}

function resultOf({ method, params }: Message): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'endpoint', version: '1' },
      };
    case 'tools/list':
      return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
    case 'tools/call':
      return { content: [{ type: 'text', text: JSON.stringify(params?.['arguments']) }] };
    default:
      return undefined;
  }
}
