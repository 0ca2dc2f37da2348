import { isObject } from '../../base/jsonObject';
import { hasMoreValues } from '../../base/valueCount';

/** Messages of a batch. */
const mostMessages = 100;
/** Arguments of a call by name. What they hold goes on as it is, maybe to another server, and may be as large as a body. */
const mostArguments = 10_000;
/** Values of a message beside those, whatever they are nested in. */
const mostValues = 5_000;

/**
 * What of a body is more than anybody has a use for, as a sentence; nothing where it is within bounds. Schemas look at every
 * value, so this comes before them; no more is looked at than the bound.
 */
export function boundsFault(body: unknown): string | undefined {
  if (!Array.isArray(body)) {
    return messageFault(body);
  }
  if (body.length > mostMessages) {
    return `a batch has at most ${mostMessages} messages`;
  }
  return body.map(messageFault).find((fault) => fault !== undefined);
}

function messageFault(message: unknown): string | undefined {
  const { method, params } = isObject(message) ? message : {};
  const args = method === 'tools/call' && isObject(params) ? params['arguments'] : undefined;
  if (isObject(args) && hasMoreThan(args, mostArguments)) {
    return `a call has at most ${mostArguments} arguments`;
  }
  return hasMoreValues(message, mostValues, isObject(args) ? args : undefined)
    ? `a message has at most ${mostValues} values beside the arguments of a call`
    : undefined;
}

function hasMoreThan(value: object, most: number): boolean {
  let left = most;
  for (const _key in value) {
    left -= 1;
    if (left < 0) {
      return true;
    }
  }
  return false;
}
