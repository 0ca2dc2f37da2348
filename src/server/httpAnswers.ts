import type { ServerResponse } from 'node:http';

/** An error of HTTP as clients of MCP read it: a JSON-RPC error that belongs to no request. */
export function answerError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32_000,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

/** A JSON-RPC error as a whole HTTP answer, with the id of the request where it could be read. */
export function answerRpcError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  body: unknown,
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: idOf(body) }));
}

function idOf(body: unknown): string | number | null {
  const id = typeof body === 'object' && body !== null && 'id' in body && 'method' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
