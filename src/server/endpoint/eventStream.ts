import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** An open stream says something this often, in milliseconds, so that no client takes the silence for an end. */
export const keepAliveMs = 15_000;

/** Makes the answer a stream of events, unless it is one already. */
export function beginStream(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  if (response.headersSent) {
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    // Tells proxies that would gather an answer first.
    'x-accel-buffering': 'no',
    ...headers,
  });
  response.flushHeaders();
}

export function writeEvent(response: ServerResponse, message: JSONRPCMessage): void {
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

export function writeComment(response: ServerResponse): void {
  response.write(': still here\n\n');
}
