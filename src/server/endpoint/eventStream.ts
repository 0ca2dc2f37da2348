import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';

/** An open stream says something this often, in milliseconds, so that no client takes the silence for an end. */
const keepAliveMs = 15_000;

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

/** Writes a message, which is JSON. Nothing is written to an answer that has ended: a client that reads slowly keeps it open long after that. */
export function writeEvent(response: ServerResponse, message: string): void {
  if (!response.writableEnded) {
    response.write(`event: message\ndata: ${message}\n\n`);
  }
}

/** Makes an answer that takes its time a stream and keeps it alive, until disposed or the answer has ended. */
export function keepAlive(response: ServerResponse, clock: Clock, begin: () => void): Disposable {
  let timer: Disposable | undefined;
  const next = (): void => {
    timer = clock.after(keepAliveMs, () => {
      if (!response.writableEnded) {
        begin();
        response.write(': still here\n\n');
        next();
      }
    });
  };
  next();
  return { dispose: () => timer?.dispose() };
}
