import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../../base/disposable';
import type { PendingReturns } from './pendingReturns';

/** A listener for one return of the browser. */
export interface LoopbackReturn extends Disposable {
  /** `http://127.0.0.1:<port>/auth` */
  readonly url: string;
}

const path = '/auth';

/**
 * Listens on loopback, at a port that is free, for a return that a sign-in waits for (RFC 8252 section 7.3); it is gone
 * after that one. Rejects with the system's error where nothing can be listened at.
 */
export async function listenForReturn(returns: PendingReturns): Promise<LoopbackReturn> {
  const server = createServer((request, response) => {
    const hand = receive(returns, request, response);
    if (hand) {
      // The page is sent before the sign-in goes on, which ends this listener.
      response.once('close', () => {
        server.close();
        hand();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    dispose: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function receive(
  returns: PendingReturns,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): (() => void) | undefined {
  const at = url.indexOf('?');
  if ((at < 0 ? url : url.slice(0, at)) !== path) {
    send(response, 404, 'There is nothing here.');
    return undefined;
  }
  if (method !== 'GET') {
    send(response, 405, 'This address is for a browser that comes back from a sign-in.');
    return undefined;
  }
  const hand = returns.take(new URLSearchParams(at < 0 ? '' : url.slice(at)));
  if (hand) {
    send(response, 200, 'The editor goes on from here. You can close this page.');
  } else {
    send(response, 400, 'No sign-in waits for this page. Start it again in the editor.');
  }
  return hand;
}

/** Nothing of the request stands in the page, and it loads and runs nothing. */
function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(status === 405 ? { allow: 'GET' } : {}),
  });
  response.end(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Portico</title>
<style>
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 18vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.3rem; }
</style>
</head>
<body>
<h1>Portico</h1>
<p>${text}</p>
</body>
</html>
`);
}
