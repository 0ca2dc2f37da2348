import type { CallOutcome, CallRecord } from '../../core/policy/policyTypes';
import type { LedgerEntry } from '../../server/ledgerTypes';

/** All that is set must hold. `server` is its name as people read it, `who` the caller's label. */
export interface ActivityFilter {
  /** What agents read, and not calls. */
  readonly reads?: true;
  readonly text?: string;
  readonly server?: string;
  readonly who?: string;
  readonly outcome?: OutcomeFilter;
}

export type OutcomeFilter = 'done' | 'failed' | 'denied or cancelled';

const outcomes: Readonly<Record<OutcomeFilter, readonly (CallOutcome | LedgerEntry['outcome'])[]>> = {
  done: ['ok', 'given'],
  failed: ['toolError', 'failed'],
  'denied or cancelled': ['denied', 'cancelled', 'refused'],
};

export const outcomeFilters = Object.keys(outcomes) as readonly OutcomeFilter[];

export function isFiltered(filter: ActivityFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** Text is looked for in tool, server, who, arguments and reason. */
export function matches(record: CallRecord, { text, server, who, outcome }: ActivityFilter): boolean {
  return (
    (server === undefined || record.key === server) &&
    (who === undefined || record.caller.label === who) &&
    (outcome === undefined || outcomes[outcome].includes(record.outcome)) &&
    (text === undefined || haystack(record).includes(text.toLowerCase()))
  );
}

/** Text is looked for in what was read, which part of it, and by whom. */
export function matchesRead(entry: LedgerEntry, { text, who, outcome }: ActivityFilter): boolean {
  const { what, file = '', part = '', client, program = '' } = entry;
  return (
    (who === undefined || client === who) &&
    (outcome === undefined || outcomes[outcome].includes(entry.outcome)) &&
    (text === undefined || [what, file, part, client, program].join('\n').toLowerCase().includes(text.toLowerCase()))
  );
}

/** `server files, text “read”` */
export function filterWords({ reads, text, server, who, outcome }: ActivityFilter): string {
  return [
    ...(reads === undefined ? [] : ['what agents read']),
    ...(server === undefined ? [] : [`server ${server}`]),
    ...(who === undefined ? [] : [`by ${who}`]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(text === undefined ? [] : [`text “${text}”`]),
  ].join(', ');
}

function haystack({ ref, key, caller, args, problem }: CallRecord): string {
  return [ref.name, key, caller.label, JSON.stringify(args), problem?.message ?? ''].join('\n').toLowerCase();
}
