import { visibleJson } from '../../base/visibleJson';
import type { CallRecord } from '../../core/policy/policyTypes';

/** One call as JSON for reading: who asked what of whom, when, and what came of it. */
export function callDocument(record: CallRecord): string {
  return `${visibleJson(readable(record))}\n`;
}

/** The whole log, newest first; results are in the records of their own. */
export function logDocument(records: readonly CallRecord[]): string {
  const calls = records.map((record) => {
    const { result, ...rest } = readable(record);
    return result === undefined ? rest : { ...rest, result: 'in the record of the call' };
  });
  return `${visibleJson(calls)}\n`;
}

function readable({ id, startedAt, caller, key, ref, args, outcome, durationMs, problem, result }: CallRecord) {
  return {
    time: new Date(startedAt).toISOString(),
    who: caller.label,
    server: key,
    tool: ref.name,
    arguments: args,
    outcome,
    durationMs,
    problem,
    result,
    id,
  };
}
