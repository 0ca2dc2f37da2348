import { isObject } from '../../base/jsonObject';
import { jsonStart } from '../../base/jsonPieces';
import { PorticoError } from '../../base/errors';
import type { Fields } from './readEntries';

const INTERNAL_ERROR = -32603;
const LONGEST_QUOTE = 200;
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result', 'error']);

/** Whether a message is a reply; some servers repeat the method in it. */
export function isReply(message: unknown): message is Fields {
  return isObject(message) && (!('method' in message) || 'result' in message || 'error' in message);
}

/** What a message says, without what a terminal would act on; a long one only as far as it is shown. */
export function quoteOf(value: unknown): string {
  const text = jsonStart(value, LONGEST_QUOTE + 1).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** The reply that says why the one that came cannot be used; its `data` is the PorticoError to reject with. */
export function invalidReply(id: unknown, what: string, server: string): Fields {
  const data = new PorticoError('REPLY_INVALID', `"${server}" answered with ${what}`, { server });
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: data.message, data } };
}

/**
 * A reply as the SDK takes it, which would drop any other and wait: what is beside the point is left out, and one that is
 * none becomes an error, so that its request fails at once. Good ones, and all that is no reply, come back as they are.
 */
export function readReply<T>(message: T, server: string): T {
  if (!isReply(message) || message['id'] === undefined || message['id'] === null || isGood(message)) {
    return message;
  }
  const { jsonrpc, id, ...said } = message;
  const { result, error } = said;
  const isResult = isObject(result);
  // Some libraries always write both members, and leave one of them empty.
  const isEmpty = error === undefined || error === null || (isResult && (error === false || error === ''));
  if (isEmpty && isResult) {
    return { jsonrpc, id, result: withoutBadMeta(result) } as T;
  }
  const read = isEmpty || (result !== undefined && result !== null) ? undefined : readError(error);
  if (read) {
    return { jsonrpc, id, error: read } as T;
  }
  let what = 'a result that is no object';
  if (!isEmpty) {
    what = result === undefined || result === null ? 'an error that is none' : 'both a result and an error';
  }
  return invalidReply(id, `${what}: ${quoteOf(said)}`, server) as T;
}

function isGood(reply: Fields): boolean {
  for (const name in reply) {
    if (!MEMBERS.has(name)) {
      return false;
    }
  }
  const { result, error } = reply;
  return error === undefined
    ? isObject(result) && withoutBadMeta(result) === result
    : result === undefined &&
        isObject(error) &&
        Number.isSafeInteger(error['code']) &&
        isText(error['message']) &&
        error['message'] !== '';
}

/** Nothing is lost with a `_meta` that is no object. */
function withoutBadMeta(result: Fields): Fields {
  if (result['_meta'] === undefined || isObject(result['_meta'])) {
    return result;
  }
  const { _meta: _, ...rest } = result;
  return rest;
}

/** An error as JSON-RPC has it, out of what some libraries send in its place; nothing where it says nothing. */
function readError(error: unknown): Fields | undefined {
  if (isText(error)) {
    return { code: INTERNAL_ERROR, message: error };
  }
  const { code, message, data } = isObject(error) ? error : {};
  const isSaid = message !== undefined && message !== null && message !== '';
  if (!isSaid && (code === undefined || code === null)) {
    return undefined;
  }
  const number = isText(code) && /^-?\d+$/.test(code) ? Number(code) : code;
  const isNumber = Number.isSafeInteger(number);
  const said = isText(message) ? message : quoteOf(message);
  // A code in words may be all that tells its errors apart.
  const named = isText(code) && !isNumber ? `${said} (${code.slice(0, LONGEST_QUOTE)})` : said;
  return {
    code: isNumber ? number : INTERNAL_ERROR,
    message: isSaid ? named : `It gave no reason but the code ${quoteOf(code)}.`,
    ...(data === undefined ? {} : { data }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The failure that this program itself put into an error reply; a server cannot: what it sends is JSON. */
export function ownFailure(error: unknown): PorticoError | undefined {
  return error instanceof Error && 'data' in error && PorticoError.is(error.data) ? error.data : undefined;
}
