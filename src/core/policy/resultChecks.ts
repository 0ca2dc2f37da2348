import type { CallToolResult } from '@modelcontextprotocol/client';
import type { CatalogTool } from '../catalog/catalogTypes';
import type { Check } from './policyTypes';
import type { Validators } from './validators';

/**
 * Holds a result against the tool's output schema: on success only, and `structuredContent` only. A server that breaks its own
 * schema keeps its result; a marked text block at the end says so. Another one says what could not be checked, of the result and of
 * the arguments (`unchecked`).
 */
export function checkResult(
  tool: CatalogTool,
  result: CallToolResult,
  validators: Validators,
  unchecked: readonly string[],
): CallToolResult | Promise<CallToolResult> {
  const schema: unknown = tool.tool.outputSchema;
  if (typeof schema !== 'object' || schema === null || result.isError) {
    return noted(result, unchecked, undefined, []);
  }
  const hold = (check: Check): CallToolResult | Promise<CallToolResult> => {
    const { structuredContent } = result;
    const skipped: string[] = [];
    const fault =
      structuredContent === undefined
        ? 'it gives no structured content, though the tool declares an output schema'
        : check(structuredContent, (what) => skipped.push(what))?.sentence;
    return noted(result, unchecked, fault, skipped);
  };
  const ready = validators.ready(schema);
  return ready ? hold(ready) : validators.checkFor(schema, 'output', tool.exposedName).then(hold);
}

function noted(
  result: CallToolResult,
  unchecked: readonly string[],
  fault: string | undefined,
  skipped: readonly string[],
): CallToolResult | Promise<CallToolResult> {
  return fault === undefined && unchecked.length + skipped.length === 0
    ? result
    : import('./resultNotes').then(({ withNotes }) => withNotes(result, unchecked, fault, skipped));
}
