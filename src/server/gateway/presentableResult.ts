import { type CallToolResult, type ContentBlock, isSpecType } from '@modelcontextprotocol/server';
import { isObject } from '../../base/jsonObject';

/**
 * A tool's result with every part in a form that the session era allows: a part of an unknown type becomes a labelled
 * placeholder and its neighbours stay, and structured content that is no object (2026-07-28 allows it) becomes text.
 */
export function presentableResult(result: CallToolResult, key: string): CallToolResult {
  const blocks: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const content = blocks.map((block) => (isSpecType.ContentBlock(block) ? block : placeholder(block, key)));
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) {
    return { ...rest, content };
  }
  if (isObject(structuredContent)) {
    return { ...rest, content, structuredContent };
  }
  const asText: ContentBlock = { type: 'text', text: JSON.stringify(structuredContent) };
  return { ...rest, content: content.length > 0 ? content : [asText] };
}

function placeholder(block: unknown, key: string): ContentBlock {
  const type = isObject(block) && typeof block['type'] === 'string' ? block['type'].slice(0, 40) : 'unknown';
  return { type: 'text', text: `[${key} sent a part of type ${JSON.stringify(type)} that cannot be shown.]` };
}
