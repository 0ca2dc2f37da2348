import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, type McpHttpHandler, type Server } from '@modelcontextprotocol/server';
import type { Logger } from '../../base/log';
import type { RouteRequest } from '../serverTypes';

/** Serves 2026-07-28 to one client: every request for itself, by the SDK's own handler, which speaks web requests and responses. */
export function createStatelessHandler(createServer: () => Server, log: Logger): McpHttpHandler {
  return createMcpHandler(createServer, {
    legacy: 'reject',
    onerror: (error) => log.debug(`Stateless request: ${error.message}`),
  });
}

export async function serveStateless(
  handler: McpHttpHandler,
  { request, response }: RouteRequest,
  parsedBody: unknown,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) {
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
  }
  const answer = await handler.fetch(
    new Request('http://localhost/', {
      method: 'POST',
      headers,
      signal: gone.signal,
      body: JSON.stringify(parsedBody),
    }),
    { parsedBody },
  );
  if (gone.signal.aborted) {
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  gone.signal.addEventListener('abort', () => body.destroy());
  body.on('error', () => response.destroy());
  body.pipe(response);
}
