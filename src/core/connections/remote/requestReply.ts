import type { RequestId } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../../base/jsonObject';
import { PorticoError } from '../../../base/errors';
import { quoteOf } from '../readReply';
import { NodeResponse } from './nodeResponse';
import { jsonIn, quote, saysSessionLost } from './remoteErrors';
import { isEventStream, isJson } from './replyHeaders';

const METHOD_NOT_FOUND = -32601;
/** Statuses that say more than a message with them. */
const OWN_MEANING: ReadonlySet<number> = new Set([401, 403, 404, 429]);
/** Those of what stands before a server: an error that names no request is not the server's. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([502, 503, 504]);

/** The request that a POST carries. */
export interface Asked {
  readonly id: RequestId;
  readonly method: string;
  readonly server: string;
}

/** The server took a request, but its reply holds nothing. */
export class NotAnswered extends PorticoError {
  constructor({ method, server }: Asked, status: number) {
    super(
      'REPLY_INVALID',
      `Server "${server}" accepted ${method} (HTTP ${status}) but did not answer it. See its own log; its "url" may not be the MCP endpoint.`,
      { server },
    );
  }
}

/** An error that names no request answers the one of the POST; servers that cannot read a request do not know its id. */
export function withId(message: JsonObject, id: RequestId | undefined): JsonObject {
  const isNameless = isObject(message['error']) && (message['id'] ?? undefined) === undefined;
  return id !== undefined && isNameless && !('method' in message) ? { ...message, id } : message;
}

/**
 * The reply to a POST with a request, as the SDK takes it: an event stream, or JSON that holds the answer. Rejects where
 * there is neither, as the SDK would wait; refusals come back as they are unless they hold the answer.
 */
export async function readRequestReply(reply: Response, asked: Asked): Promise<Response> {
  const { status, headers } = reply;
  if (isEventStream(headers)) {
    return !reply.ok || status === 200 || !reply.body
      ? reply
      : new NodeResponse({ status: 200, headers, body: reply.body }).asResponse();
  }
  if (!reply.ok) {
    const error = jsonIn(await reply.text());
    return isObject(error) && isRefusalOf(error, status, asked) ? answer(headers, withId(error, asked.id)) : reply;
  }
  if (isJson(headers)) {
    return answer(headers, readMessages(await reply.json(), status, asked));
  }
  if (asked.method === 'server/discover') {
    // Whatever this is, `initialize` shows whether the server knows any other revision.
    return answer(headers, { jsonrpc: '2.0', id: asked.id, error: { code: METHOD_NOT_FOUND, message: 'No answer' } });
  }
  throw noMcp(await reply.text(), headers, status, asked);
}

function answer(headers: Headers, value: unknown): Response {
  headers.set('content-type', 'application/json');
  return new NodeResponse({ status: 200, headers, value }).asResponse();
}

function isAnswerTo(message: JsonObject, id: RequestId): boolean {
  // Some servers write every id as a text, which the SDK takes.
  return !('method' in message) && String(message['id']) === String(id);
}

/** Whether a refusal's body is the answer to the request, so that its error is the one to show. */
function isRefusalOf(message: JsonObject, status: number, { id, method }: Asked): boolean {
  const { error } = message;
  if (!isObject(error) || typeof error['code'] !== 'number' || typeof error['message'] !== 'string') {
    return false;
  }
  // The handshake goes by the status.
  if (method === 'initialize' || method === 'server/discover') {
    return false;
  }
  if (isAnswerTo(message, id) && error['code'] === METHOD_NOT_FOUND) {
    // 2026-07-28 sends it with a 404.
    return true;
  }
  if (OWN_MEANING.has(status) || saysSessionLost(status, error['message'])) {
    return false;
  }
  return isAnswerTo(message, id) || (!OF_GATEWAYS.has(status) && isAnswerTo(withId(message, id), id));
}

function readMessages(value: unknown, status: number, asked: Asked): unknown {
  const { id, method, server } = asked;
  const messages = (Array.isArray(value) ? value : [value]).filter(isObject).map((message) => withId(message, id));
  if (messages.some((message) => isAnswerTo(message, id))) {
    return Array.isArray(value) ? messages : messages[0];
  }
  const fail = (what: string): PorticoError =>
    new PorticoError('REPLY_INVALID', `Server "${server}" answered ${method} with ${what}`, { server });
  const other = messages.find((message) => 'jsonrpc' in message && 'id' in message && !('method' in message));
  if (other) {
    throw fail(`an answer to another request (id ${quoteOf(other['id'] ?? null)}). See its own log, then try again.`);
  }
  if (status === 202 || messages.some((message) => 'method' in message)) {
    throw new NotAnswered(asked, status);
  }
  throw fail(`JSON that is not MCP: ${quoteOf(value ?? null)}. Check whether its "url" is the MCP endpoint.`);
}

function noMcp(text: string, headers: Headers, status: number, asked: Asked): PorticoError {
  if (text.trim() === '' || status === 202) {
    return new NotAnswered(asked, status);
  }
  const { server } = asked;
  // In brackets: rows show what stands behind a colon in place of the failure.
  const said = quote(text).replace(/^: (.*)$/, ' (it says “$1”)');
  const isPage = /^text\/html|^application\/xhtml/i.test(headers.get('content-type') ?? '') || /^\s*</.test(text);
  const sentence = isPage
    ? `answered with a web page, not MCP${said}. Check whether its "url" is the MCP endpoint, and whether the network or a proxy wants you to sign in first.`
    : `answered with something that is not MCP${said}. Check whether its "url" is the MCP endpoint.`;
  return new PorticoError('CONNECT_FAILED', `Server "${server}" ${sentence}`, { server });
}
