import { toProblem } from '../../base/errors';
import type { Hub } from '../../core/hubTypes';
import type { CompleteField, Suggestions } from './askArgumentsTypes';

/** The most that a server may send (spec: server/utilities/completion); more would not be read by anyone. */
const mostValues = 100;
/** Later than this nobody waits for a suggestion any more. */
const timeoutMs = 10_000;

type CompletionReference = Parameters<Hub['complete']>[1];

/**
 * Completion by a server for the fields of one prompt or template; nothing where it does not declare any. A server that
 * turns out not to have it is not asked again.
 */
export function serverCompletion(
  hub: Pick<Hub, 'server' | 'complete'>,
  server: string,
  ref: CompletionReference,
): CompleteField | undefined {
  const info = hub.server(server)?.lastInfo.peek();
  // The first revision had completion, but no capability to declare it by.
  if (!info || (info.capabilities.completions === undefined && info.protocolVersion !== '2024-11-05')) {
    return undefined;
  }
  let offered = true;
  return async (field, value, given, signal) => {
    if (!offered) {
      return { values: [], more: false };
    }
    const context = Object.keys(given).length > 0 ? given : undefined;
    try {
      const result = await hub.complete(server, ref, { name: field, value }, context, { signal, timeoutMs });
      return readSuggestions(result);
    } catch (error) {
      const { code } = toProblem(error);
      offered = code !== '-32601' && code !== 'NOT_SUPPORTED';
      throw error;
    }
  };
}

/** Reads what nobody vouches for: anything that is no text is passed over. */
export function readSuggestions(result: unknown): Suggestions {
  const completion = fieldsOf(fieldsOf(result)['completion']);
  const sent: readonly unknown[] = Array.isArray(completion['values']) ? completion['values'] : [];
  const values = [...new Set(sent.filter((value) => typeof value === 'string'))];
  return {
    values: values.slice(0, mostValues),
    more: completion['hasMore'] === true || Number(completion['total']) > sent.length || values.length > mostValues,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
