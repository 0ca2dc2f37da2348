import type { Problem } from '../../base/errors';
import { plainLine } from '../interop/text';

/**
 * A failure in the few words that fit a row: its first sentence without the server's name, which the row has already,
 * and without the predicate that leads to the reason. `"db" exited with code 1: DB_URL is not set` is `DB_URL is not set`.
 */
export function shortReason({ message }: Problem, key: string): string {
  const line = plainLine(message, 600);
  const named =
    [`Server "${key}": `, `Server "${key}" `, `"${key}" `, `${key} `, `${key}: `].find((start) =>
      line.startsWith(start),
    ) ?? '';
  const rest = line.slice(named.length);
  const sentence = /^.*?\S[.!?](?=\s|$)/.exec(rest)?.[0] ?? rest;
  const reason = (named ? sentence.replace(/^[a-z][^:]{0,60}:\s+/, '') : sentence).replace(/[.!]$/, '');
  return plainLine(reason, 80) || line;
}
