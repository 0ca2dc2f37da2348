import type { CallToolResult } from '@modelcontextprotocol/client';
import type { CatalogTool } from '../catalog/catalogTypes';
import { type Check, noteKey } from './policyTypes';
import type { Validators } from './validators';

/**
 * Holds a result against the tool's output schema: on success only, and `structuredContent` only. A server that breaks its own
 * schema keeps its result; a marked text block at the end says so.
 */
export function checkResult(
  tool: CatalogTool,
  result: CallToolResult,
  validators: Validators,
): CallToolResult | Promise<CallToolResult> {
  const schema: unknown = tool.tool.outputSchema;
  if (typeof schema !== 'object' || schema === null || result.isError) {
    return result;
  }
  const ready = validators.ready(schema);
  return ready
    ? annotate(result, ready)
    : validators.checkFor(schema, 'output', tool.exposedName).then((check) => annotate(result, check));
}

function annotate(result: CallToolResult, check: Check): CallToolResult {
  const { structuredContent } = result;
  const fault =
    structuredContent === undefined
      ? 'it gives no structured content, though the tool declares an output schema'
      : check(structuredContent)?.sentence;
  if (fault === undefined) {
    return result;
  }
  const content: unknown = result.content;
  const text = `[Portico: this result does not match the tool's own output schema: ${fault}.]`;
  return {
    ...result,
    content: [
      ...(Array.isArray(content) ? (content as CallToolResult['content']) : []),
      { type: 'text', text, _meta: { [noteKey]: 'outputSchema' } },
    ],
  };
}
