import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import { jsonStart } from '../../base/jsonPieces';
import { PorticoError } from '../../base/errors';

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const LONGEST_QUOTE = 200;

/** What is wrong with a reply by JSON-RPC 2.0 and MCP, where a result is an object; nothing for a good one. */
function fault({ result, error }: Readonly<Record<string, unknown>>): string | undefined {
  if (result !== undefined && error !== undefined) {
    return 'both a result and an error';
  }
  if (error !== undefined) {
    return isObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string'
      ? undefined
      : 'an error that is none';
  }
  return isObject(result) ? undefined : 'a result that is no object';
}

/**
 * Turns a reply that breaks the protocol into an error reply, so that its request fails at once; the SDK would drop it
 * and wait. The `data` of the error is the PorticoError to reject with. Everything else comes back as it is.
 */
export function readReply<T>(message: T, server: string): T {
  if (!isObject(message) || message['id'] === undefined || message['id'] === null || 'method' in message) {
    return message;
  }
  const what = fault(message);
  if (what === undefined) {
    return message;
  }
  const { jsonrpc, id, ...rest } = message;
  const text = jsonStart(rest, LONGEST_QUOTE + 1).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  const quote = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  const data = new PorticoError('REPLY_INVALID', `"${server}" answered with ${what}: ${quote}`, { server });
  return { jsonrpc, id, error: { code: INTERNAL_ERROR, message: data.message, data } } as T;
}

/** The answer to a request that is none by JSON-RPC 2.0, which the SDK would leave without one; nothing for all else. */
export function refusalOf(message: unknown): JSONRPCErrorResponse | undefined {
  if (!isObject(message) || !('method' in message)) {
    return undefined;
  }
  const { id, method, params } = message;
  if ((typeof id !== 'string' && typeof id !== 'number') || (typeof method === 'string' && isParams(params))) {
    return undefined;
  }
  const error =
    typeof method === 'string'
      ? { code: INVALID_PARAMS, message: `The params of ${method.slice(0, LONGEST_QUOTE)} must be an object.` }
      : { code: INVALID_REQUEST, message: 'The method of a request must be a text.' };
  return { jsonrpc: '2.0', id, error };
}

function isParams(params: unknown): boolean {
  return params === undefined || isObject(params);
}

/** The failure that this program itself put into an error reply; a server cannot: what it sends is JSON. */
export function ownFailure(error: unknown): PorticoError | undefined {
  return error instanceof Error && 'data' in error && PorticoError.is(error.data) ? error.data : undefined;
}
