import type { CallOutcome, CallRecord } from '../../core/policy/policyTypes';

/** All that is set must hold. `server` is its name as people read it, `who` the caller's label. */
export interface ActivityFilter {
  readonly text?: string;
  readonly server?: string;
  readonly who?: string;
  readonly outcome?: OutcomeFilter;
}

export type OutcomeFilter = 'done' | 'failed' | 'denied or cancelled';

const outcomes: Readonly<Record<OutcomeFilter, readonly CallOutcome[]>> = {
  done: ['ok'],
  failed: ['toolError', 'failed'],
  'denied or cancelled': ['denied', 'cancelled'],
};

export const outcomeFilters = Object.keys(outcomes) as readonly OutcomeFilter[];

export function isFiltered(filter: ActivityFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** Text is looked for in tool, server, who, arguments and reason. */
export function matches(record: CallRecord, { text, server, who, outcome }: ActivityFilter): boolean {
  const words = text?.toLowerCase();
  return (
    (server === undefined || record.key === server) &&
    (who === undefined || record.caller.label === who) &&
    (outcome === undefined || outcomes[outcome].includes(record.outcome)) &&
    (words === undefined || haystack(record).includes(words))
  );
}

/** `server files, text “read”` */
export function filterWords({ text, server, who, outcome }: ActivityFilter): string {
  return [
    ...(server === undefined ? [] : [`server ${server}`]),
    ...(who === undefined ? [] : [`by ${who}`]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(text === undefined ? [] : [`text “${text}”`]),
  ].join(', ');
}

function haystack({ ref, key, caller, args, problem }: CallRecord): string {
  return [ref.name, key, caller.label, JSON.stringify(args), problem?.message ?? ''].join('\n').toLowerCase();
}
