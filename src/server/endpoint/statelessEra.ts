import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, type McpHttpHandler, type Server } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/log';
import { answerRpcError, unreadAnswers } from '../httpAnswers';
import type { RouteRequest } from '../serverTypes';
import { beginStream, keepAlive } from './eventStream';

/** Serves 2026-07-28 to one client: every request for itself, by the SDK's own handler, which speaks web requests and responses. */
export function createStatelessHandler(createServer: () => Server, log: Logger): McpHttpHandler {
  return createMcpHandler(createServer, {
    legacy: 'reject',
    onerror: (error) => log.debug(`Stateless request: ${error.message}`),
  });
}

export async function serveStateless(
  handler: McpHttpHandler,
  { request, response, hasRoom }: RouteRequest,
  parsedBody: unknown,
  clock: Clock,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  // A client gives up on an answer that sends no headers for a minute or more, so a long one becomes a stream.
  const early = request.headers.accept?.includes('text/event-stream')
    ? keepAlive(response, clock, () => beginStream(response))
    : undefined;
  response.on('close', () => early?.dispose());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) {
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
  }
  const answer = await handler.fetch(
    // Its body has been read.
    new Request('http://localhost/', { method: 'POST', headers, signal: gone.signal }),
    { parsedBody },
  );
  early?.dispose();
  if (gone.signal.aborted) {
    return;
  }
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || answer.body === null) {
    const text = await answer.text();
    if (!hasRoom()) {
      refuse(response, parsedBody);
    } else if (response.headersSent) {
      response.end(text === '' ? undefined : `event: message\ndata: ${text}\n\n`);
    } else {
      const length = text === '' ? {} : { 'content-length': Buffer.byteLength(text) };
      response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...length }).end(text);
    }
    return;
  }
  if (!response.headersSent) {
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
  }
  const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  gone.signal.addEventListener('abort', () => body.destroy());
  body.on('error', () => response.destroy());
  // Without back-pressure, so that all that waits is counted in one place.
  body.on('data', (chunk: Uint8Array) => {
    if (hasRoom()) {
      response.write(chunk);
    } else {
      response.destroy();
    }
  });
  body.on('end', () => response.end());
}

/** A stream that has begun cannot say it by its status any more. */
function refuse(response: ServerResponse, body: unknown): void {
  if (response.headersSent) {
    response.destroy();
  } else {
    answerRpcError(response, 429, -32_000, unreadAnswers, body);
  }
}
