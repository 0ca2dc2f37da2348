import type { ServerResponse } from 'node:http';

/** What a client is told that does not take what it asked for. */
export const unreadAnswers = 'Too many answers wait to be read. Read them first, then ask again.';

/** What a client is told that sends more before it has been answered than is kept for it. */
export const unansweredRequests =
  'The requests that are not answered yet are too large together. Wait for answers, then send it again.';

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
