import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import type { Era } from './connectionTypes';
import type { Fields } from './readEntries';

const RESULT_TYPE = 'portico:resultType';

/**
 * The SDK drops `resultType` in the session era, which has none, and refuses what it does not know in the other one;
 * here results go by it as complete ones, and `restoreResultType` gives back what they came with.
 */
export function keepResultType(message: JSONRPCMessage, era: Era | undefined): void {
  if (!era || !('result' in message) || !isObject(message.result)) {
    return;
  }
  const { resultType } = message.result;
  if (era === 'stateless' && resultType !== 'complete') {
    const kept = resultType === undefined ? {} : { [RESULT_TYPE]: resultType };
    message.result = { ...message.result, resultType: 'complete', ...kept };
  } else if (era === 'session' && resultType !== undefined) {
    message.result = { ...message.result, [RESULT_TYPE]: resultType };
  }
}

/** A result as it came. */
export function restoreResultType(result: unknown): Fields {
  if (!isObject(result)) {
    return {};
  }
  if (!(RESULT_TYPE in result)) {
    return result;
  }
  const { [RESULT_TYPE]: resultType, ...rest } = result;
  return { resultType, ...rest };
}
