import type { CallToolResult } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { Fields } from './readEntries';
import { quoteOf } from './readReply';

/** The result of a tool as it came; content that is missing is none, whatever else the result says counts. */
export function readToolResult(result: unknown, server: string): CallToolResult {
  const read = isObject(result) ? readResult(result) : undefined;
  if (read) {
    return read as unknown as CallToolResult;
  }
  const { content } = isObject(result) ? result : {};
  throw new PorticoError(
    'REPLY_INVALID',
    `"${server}" answered tools/call with "content" that is no list: ${quoteOf(content)}. The tool may have run all the same. Only the server's author can correct it.`,
    { server },
  );
}

/** The result with the types that its readers rely on; nothing where its content is of a wrong type. */
function readResult(result: Fields): Fields | undefined {
  const { content, isError, structuredContent, ...rest } = result;
  const isFlag = isError === undefined || typeof isError === 'boolean';
  if (Array.isArray(content) && isFlag && structuredContent !== null) {
    return result;
  }
  if (content !== undefined && content !== null && !Array.isArray(content)) {
    return undefined;
  }
  const flag = isFlag ? isError : isError === 'true' || isError === 1;
  return {
    ...rest,
    content: content ?? [],
    // Many libraries write null for what is absent.
    ...(structuredContent === undefined || structuredContent === null ? {} : { structuredContent }),
    ...(flag === undefined ? {} : { isError: flag }),
  };
}

/** The result of a task, which is none where it says nothing. */
export function isToolResult(result: unknown): result is Fields {
  return (
    isObject(result) &&
    ['content', 'structuredContent', 'isError'].some((name) => result[name] !== undefined && result[name] !== null) &&
    readResult(result) !== undefined
  );
}
