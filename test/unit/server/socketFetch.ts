import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import type { ListenerAddress } from '../../../src/server/serverTypes';

/** What node:http needs to dial a listener. */
export function dialOf(address: ListenerAddress): { socketPath: string } | { host: string; port: number } {
  return address.kind === 'tcp' ? { host: address.host, port: address.port } : { socketPath: address.path };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One request over the socket, its whole answer as text. */
export async function send(
  address: ListenerAddress,
  options: { method?: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<Answer> {
  const response = await open(address, options);
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** One request over the socket; the answer is given as soon as its headers are there. */
export function open(
  address: ListenerAddress,
  options: { method?: string; path: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal },
): Promise<IncomingMessage> {
  const { method = 'POST', path, headers = {}, body, signal } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...dialOf(address),
        agent: false,
        method,
        path,
        headers: { host: 'localhost', ...headers },
        ...(signal ? { signal } : {}),
      },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** `fetch` for the SDK's client. */
export function socketFetch(address: ListenerAddress): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const { pathname } = new URL(url);
    const response = await open(address, {
      path: pathname,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.method === undefined ? {} : { method: init.method }),
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    const status = response.statusCode ?? 0;
    const hasBody = status !== 202 && status !== 204;
    if (!hasBody) {
      response.resume();
    }
    return new Response(hasBody ? (Readable.toWeb(response) as ReadableStream) : null, {
      status,
      headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    });
  };
}
