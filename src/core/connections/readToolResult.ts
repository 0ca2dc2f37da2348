import type { CallToolResult } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import type { Fields } from './readEntries';

const LONGEST_QUOTE = 200;

/** The result of a tool as it came, where it is one: with a list of content, or at least structured content. */
export function readToolResult(result: unknown, server: string): CallToolResult {
  if (isToolResult(result)) {
    return result as unknown as CallToolResult;
  }
  const { content } = isObject(result) ? result : {};
  const text = (JSON.stringify(content) ?? '').replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  const quote = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  const what = content === undefined ? 'without "content"' : `with "content" that is no list: ${quote}`;
  throw new PorticoError(
    'REPLY_INVALID',
    `"${server}" answered tools/call ${what}. The tool may have run all the same. Only the server's author can correct it.`,
    { server },
  );
}

/** A result without content blocks is still of use where it has its structured form. */
export function isToolResult(result: unknown): result is Fields {
  return (
    isObject(result) &&
    (Array.isArray(result['content']) || (result['content'] === undefined && isObject(result['structuredContent'])))
  );
}
