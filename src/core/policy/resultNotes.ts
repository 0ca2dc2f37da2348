import type { CallToolResult } from '@modelcontextprotocol/client';
import { noteKey } from './policyTypes';

const mostSkipped = 5;

type Note = readonly [reason: string, text: string];

/**
 * A result with a marked text block for each thing to know of it: what was left `unchecked` of the arguments, what is wrong with
 * it by the tool's own output schema, and what was `skipped` when it was held against that.
 */
export function withNotes(
  result: CallToolResult,
  unchecked: readonly string[],
  fault: string | undefined,
  skipped: readonly string[],
): CallToolResult {
  const content: unknown = result.content;
  const notes: readonly Note[] = [
    ...uncheckedNote('arguments', unchecked),
    ...(fault === undefined
      ? []
      : [['outputSchema', `this result does not match the tool's own output schema: ${fault}.`] as const]),
    ...uncheckedNote('result', skipped),
  ];
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

/** What nobody has looked at is not said to be right. */
function uncheckedNote(what: 'arguments' | 'result', skipped: readonly string[]): readonly Note[] {
  const all = [...new Set(skipped)];
  const more = all.length > mostSkipped ? `; and ${all.length - mostSkipped} more` : '';
  const said = `${all.slice(0, mostSkipped).join('; ')}${more}`;
  return all.length === 0 ? [] : [['unchecked', `of the ${what}, this was not checked against the schema: ${said}.`]];
}
