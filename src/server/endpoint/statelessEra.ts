import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, type McpHttpHandler, type Server } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { RouteRequest } from '../serverTypes';
import { beginStream, keepAliveMs, writeComment } from './eventStream';

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
  clock: Clock,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  // A client gives up on an answer that sends no headers for a minute or more, so a long one becomes a stream.
  const early = request.headers.accept?.includes('text/event-stream') ? streamLater(response, clock) : undefined;
  response.on('close', () => early?.dispose());
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
  early?.dispose();
  if (gone.signal.aborted) {
    return;
  }
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.headersSent && !isStream) {
    response.end(`event: message\ndata: ${await answer.text()}\n\n`);
    return;
  }
  if (!response.headersSent) {
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
  }
  if (answer.body === null) {
    response.end();
    return;
  }
  const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  gone.signal.addEventListener('abort', () => body.destroy());
  body.on('error', () => response.destroy());
  body.pipe(response);
}

/** Begins a stream once an answer takes its time, and keeps it alive until disposed. */
function streamLater(response: ServerResponse, clock: Clock): Disposable {
  let timer: Disposable | undefined;
  const next = (): void => {
    timer = clock.after(keepAliveMs, () => {
      beginStream(response);
      writeComment(response);
      next();
    });
  };
  next();
  return { dispose: () => timer?.dispose() };
}
