import { type JSONRPCErrorResponse, type JSONRPCMessage, RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import type { Fields } from './readEntries';

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const LONGEST_QUOTE = 200;
const NOTIFICATION = 'notifications/';
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/**
 * A request or notification of a server as the SDK takes it, which would drop any other without a word: what is beside
 * the point is left out. Good ones, and all that is neither, come back as they are.
 */
export function readAsked<T>(message: T): T {
  if (!isObject(message) || typeof message['method'] !== 'string') {
    return message;
  }
  const { jsonrpc, id, method, params } = message;
  const isNotification = id === undefined || (id === null && method.startsWith(NOTIFICATION));
  const kept = readParams(params, isNotification);
  const isWhole = kept === params && isNotification === (id === undefined);
  if (isWhole && Object.keys(message).every((name) => MEMBERS.has(name))) {
    return message;
  }
  return {
    jsonrpc,
    ...(isNotification ? {} : { id }),
    method,
    ...(kept === undefined ? {} : { params: kept }),
  } as T;
}

/** Empty lists stand for no params; of a notification, which nobody can refuse, whatever is no object does. */
function readParams(params: unknown, isNotification: boolean): unknown {
  if (!isObject(params)) {
    const isNone = params === null || isNotification || (Array.isArray(params) && params.length === 0);
    return isNone ? undefined : params;
  }
  const { _meta: meta, ...rest } = params;
  const kept = isObject(meta) ? readMeta(meta) : undefined;
  if (kept === meta) {
    return params;
  }
  return kept === undefined ? rest : { ...rest, _meta: kept };
}

function readMeta(meta: Fields): Fields {
  const { progressToken: token, [RELATED_TASK_META_KEY]: task } = meta;
  const isToken = token === undefined || typeof token === 'string' || Number.isSafeInteger(token);
  const isTask = task === undefined || (isObject(task) && typeof task['taskId'] === 'string');
  if (isToken && isTask) {
    return meta;
  }
  const { progressToken: _, [RELATED_TASK_META_KEY]: __, ...rest } = meta;
  return {
    ...rest,
    ...(isToken && token !== undefined ? { progressToken: token } : {}),
    ...(isTask && task !== undefined ? { [RELATED_TASK_META_KEY]: task } : {}),
  };
}

/** The answer to a request that is none by JSON-RPC 2.0, which the SDK would leave without one; nothing for all else. */
export function refusalOf(message: unknown): JSONRPCErrorResponse | undefined {
  if (!isObject(message) || !('method' in message) || message['id'] === undefined) {
    return undefined;
  }
  const { id, method, params } = message;
  const refuse = (code: number, said: string): JSONRPCErrorResponse => {
    // An id that cannot be told apart from others is given back as far as JSON-RPC allows.
    const named = typeof id === 'string' || typeof id === 'number' ? id : null;
    return { jsonrpc: '2.0', id: named as JSONRPCErrorResponse['id'], error: { code, message: said } };
  };
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    return refuse(INVALID_REQUEST, 'The id of a request must be a text or a whole number below 2^53.');
  }
  if (typeof method !== 'string') {
    return refuse(INVALID_REQUEST, 'The method of a request must be a text.');
  }
  if (method.startsWith(NOTIFICATION)) {
    return refuse(INVALID_REQUEST, `${method.slice(0, LONGEST_QUOTE)} is a notification, which has no id.`);
  }
  return params === undefined || isObject(params)
    ? undefined
    : refuse(INVALID_PARAMS, `The params of ${method.slice(0, LONGEST_QUOTE)} must be an object.`);
}

/** A notification that came with an id is one all the same; the SDK would take it for a request. */
export function asNotification(message: JSONRPCMessage): void {
  if ('method' in message && 'id' in message && String(message.method).startsWith(NOTIFICATION)) {
    delete (message as { id?: unknown }).id;
  }
}
