import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { Fields } from './readEntries';

/** The answer as it came, where the list that it is about is there; `path` leads to it. */
export function readAnswer<T>(result: unknown, path: readonly string[], method: string, server: string): T {
  const list = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), result);
  if (!Array.isArray(list)) {
    const message = `"${server}" answered ${method} without "${path.join('.')}". Only the server's author can correct it.`;
    throw new PorticoError('REPLY_INVALID', message, { server });
  }
  return result as Fields as T;
}
