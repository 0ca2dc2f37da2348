import type { CallOutcome, CallRecord } from '../../core/policy/policyTypes';
import type { LedgerEntry } from '../../server/ledgerTypes';
import { plainLine } from '../interop/text';
import { type ActivityFilter, matches, matchesRead } from './activityFilter';

export type GroupKind = 'waiting' | 'running' | 'today' | 'earlier';

export interface ActivityGroup<T extends CallRecord | LedgerEntry = CallRecord | LedgerEntry> {
  readonly kind: GroupKind;
  readonly label: string;
  readonly records: readonly T[];
}

/** Rows in all; the call log has the rest. */
export const maxRows = 200;

const labels: Readonly<Record<GroupKind, string>> = {
  waiting: 'Waiting for You',
  running: 'Running',
  today: 'Today',
  earlier: 'Earlier',
};

/** The calls by what the person wants of them: what waits comes first, then newest first. Empty groups are left out. */
export function activityGroups(
  records: readonly CallRecord[],
  filter: ActivityFilter,
  now: Date,
): readonly ActivityGroup<CallRecord>[] {
  const midnight = midnightOf(now);
  const groups: Record<GroupKind, CallRecord[]> = { waiting: [], running: [], today: [], earlier: [] };
  // What waits or runs is never cut off, however many calls came after it.
  const open = records.filter(({ outcome }) => outcome === 'waiting' || outcome === 'running');
  const closed = records.filter((record) => !open.includes(record)).filter((record) => matches(record, filter));
  for (const record of [
    ...open.filter((one) => one.outcome === 'waiting' || matches(one, filter)),
    ...closed.slice(0, maxRows),
  ]) {
    groups[groupOf(record, midnight)].push(record);
  }
  groups.waiting.reverse();
  return (Object.keys(groups) as GroupKind[])
    .map((kind) => ({ kind, label: labels[kind], records: groups[kind] }))
    .filter((group) => group.records.length > 0);
}

/** What agents read, the newest first, by when it was. */
export function readGroups(
  entries: readonly LedgerEntry[],
  filter: ActivityFilter,
  now: Date,
): readonly ActivityGroup<LedgerEntry>[] {
  const midnight = midnightOf(now);
  const shown = entries.filter((entry) => matchesRead(entry, filter)).slice(0, maxRows);
  const groups = [
    { kind: 'today', label: labels.today, records: shown.filter(({ at }) => at >= midnight) },
    { kind: 'earlier', label: labels.earlier, records: shown.filter(({ at }) => at < midnight) },
  ] as const;
  return groups.filter(({ records }) => records.length > 0);
}

function midnightOf(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
}

function groupOf({ outcome, startedAt }: CallRecord, midnight: number): GroupKind {
  if (outcome === 'waiting' || outcome === 'running') {
    return outcome;
  }
  return startedAt >= midnight ? 'today' : 'earlier';
}

export interface ActivityRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color?: string;
  readonly contextValue: string;
  /** For screen readers: everything that the row shows, in words. */
  readonly spoken: string;
}

const looks: Readonly<Record<CallOutcome, { icon: string; color?: string; words: string; context: string }>> = {
  waiting: {
    icon: 'question',
    color: 'notificationsWarningIcon.foreground',
    words: 'waits for you',
    context: 'waiting',
  },
  running: { icon: 'loading~spin', words: 'running', context: 'call.running' },
  ok: { icon: 'check', color: 'testing.iconPassed', words: 'done', context: 'call.ok' },
  toolError: {
    icon: 'error',
    color: 'notificationsErrorIcon.foreground',
    words: 'tool error',
    context: 'call.toolError',
  },
  failed: { icon: 'error', color: 'notificationsErrorIcon.foreground', words: 'failed', context: 'call.failed' },
  denied: { icon: 'circle-slash', words: 'denied', context: 'call.denied' },
  cancelled: { icon: 'circle-slash', words: 'cancelled', context: 'call.cancelled' },
};

/** `read_file` · `files · chat · 14:05 · 38 ms`; what went wrong takes the place in front. */
export function activityRow(record: CallRecord): ActivityRow {
  const { ref, key, caller, outcome, durationMs, problem, startedAt } = record;
  const { icon, color, words, context } = looks[outcome];
  const took = durationMs === undefined ? undefined : duration(durationMs);
  const state = ['ok', 'running', 'waiting'].includes(outcome) ? undefined : words;
  const parts = [state, plainLine(key, 40), plainLine(caller.label, 40), timeOfDay(startedAt), took].filter(
    (part) => part !== undefined,
  );
  const reason = problem === undefined ? [] : [plainLine(problem.message, 160)];
  const label = plainLine(ref.name, 80);
  return {
    label,
    description: parts.join(' · '),
    icon,
    ...(color === undefined ? {} : { color }),
    contextValue: context,
    spoken: [
      label,
      words,
      `server ${plainLine(key, 40)}`,
      `by ${plainLine(caller.label, 40)}`,
      ...(took ? [took] : []),
      `at ${timeOfDay(startedAt)}`,
      ...reason,
    ].join(', '),
  };
}

/** As it is written where the person lives; the day is the group's, and in the tooltip. */
export function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short' });
}

export function duration(ms: number): string {
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
