import type { CallToolResult } from '@modelcontextprotocol/client';
import type { CatalogTool } from '../catalog/catalogTypes';
import { type Check, noteKey } from './policyTypes';
import type { Validators } from './validators';

const mostSkipped = 5;

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
  const sent = withNotes(result, ...uncheckedNote('arguments', unchecked));
  if (typeof schema !== 'object' || schema === null || result.isError) {
    return sent;
  }
  const ready = validators.ready(schema);
  return ready
    ? annotate(sent, ready)
    : validators.checkFor(schema, 'output', tool.exposedName).then((check) => annotate(sent, check));
}

type Note = readonly [reason: string, text: string];

function annotate(result: CallToolResult, check: Check): CallToolResult {
  const { structuredContent } = result;
  const skipped: string[] = [];
  const fault =
    structuredContent === undefined
      ? 'it gives no structured content, though the tool declares an output schema'
      : check(structuredContent, (what) => skipped.push(what))?.sentence;
  return withNotes(
    result,
    ...(fault === undefined
      ? []
      : [['outputSchema', `this result does not match the tool's own output schema: ${fault}.`] as const]),
    ...uncheckedNote('result', skipped),
  );
}

/** What nobody has looked at is not said to be right. */
function uncheckedNote(what: 'arguments' | 'result', skipped: readonly string[]): readonly Note[] {
  const all = [...new Set(skipped)];
  const more = all.length > mostSkipped ? `; and ${all.length - mostSkipped} more` : '';
  const said = `${all.slice(0, mostSkipped).join('; ')}${more}`;
  return all.length === 0 ? [] : [['unchecked', `of the ${what}, this was not checked against the schema: ${said}.`]];
}

function withNotes(result: CallToolResult, ...notes: readonly Note[]): CallToolResult {
  if (notes.length === 0) {
    return result;
  }
  const content: unknown = result.content;
  return {
    ...result,
    content: [
      ...(Array.isArray(content) ? (content as CallToolResult['content']) : []),
      ...notes.map(([reason, text]) => ({
        type: 'text' as const,
        text: `[Portico: ${text}]`,
        _meta: { [noteKey]: reason },
      })),
    ],
  };
}
