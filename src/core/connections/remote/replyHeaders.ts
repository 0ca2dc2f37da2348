import type { IncomingMessage } from 'node:http';

/** A type may be given twice, as by a server behind a proxy that adds it; then both stand in one line. */
const EVENT_STREAM = /^text\/event-stream\s*([;,]|$)/i;
const JSON_TYPE = /^(application|text)\/([\w!#$&^.-]+\+)?json\s*([;,]|$)/i;
/** A body of blanks alone is no longer than this. */
const MOST_BLANK = 65_536;

export function isEventStream(headers: Headers): boolean {
  return EVENT_STREAM.test(headers.get('content-type') ?? '');
}

export function isJson(headers: Headers): boolean {
  return JSON_TYPE.test(headers.get('content-type') ?? '');
}

/** Calls a body what it is, in the words that the SDK knows: JSON-RPC may come under any type, and nothing has none. */
export function settleType(headers: Headers, body: Buffer | undefined): void {
  if (body === undefined) {
    headers.set('content-type', 'text/event-stream');
  } else if (body.length < MOST_BLANK && body.toString('utf8').trim() === '') {
    headers.delete('content-type');
  } else if (isJson(headers) || isJsonRpc(body)) {
    headers.set('content-type', 'application/json');
  }
}

function isJsonRpc(body: Buffer): boolean {
  return /^\s*[{[]/.test(body.toString('utf8', 0, 64)) && body.includes('"jsonrpc"');
}

export function toHeaders(message: IncomingMessage): Headers {
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}
