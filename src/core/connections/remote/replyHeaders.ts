import type { IncomingMessage } from 'node:http';

export function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/** JSON-RPC under no content type, or under that of plain text. */
export function isUnlabelledJson(headers: Headers, body: Buffer): boolean {
  return (
    /^(text\/plain\s*(;.*)?)?$/i.test(headers.get('content-type') ?? '') &&
    /^\s*[{[]/.test(body.toString('utf8', 0, 64)) &&
    body.includes('"jsonrpc"')
  );
}

export function toHeaders(message: IncomingMessage): Headers {
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}
