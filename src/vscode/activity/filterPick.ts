import { QuickPickItemKind, type QuickPickItem, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { CallRecord } from '../../core/policy/policyTypes';
import type { LedgerEntry } from '../../server/ledgerTypes';
import { counted, inertLine } from '../interop/text';
import { type ActivityFilter, filterWords, isFiltered, outcomeFilters } from './activityFilter';

type FilterItem = QuickPickItem & { readonly next?: ActivityFilter };

/** Asks for one more condition, or for none at all; nothing when it was closed. */
export async function pickFilter(
  records: readonly CallRecord[],
  reads: readonly LedgerEntry[],
  current: ActivityFilter,
): Promise<ActivityFilter | undefined> {
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<FilterItem>());
  pick.title = 'Filter Activity';
  pick.placeholder = 'Type a text to look for, or choose a server, who called, or an outcome';
  const fill = (text: string): void => {
    pick.items = items(records, reads, current, text.trim());
  };
  fill('');
  try {
    return await new Promise<ActivityFilter | undefined>((resolve) => {
      store.add(pick.onDidChangeValue(fill));
      store.add(pick.onDidAccept(() => resolve(pick.activeItems[0]?.next)));
      store.add(pick.onDidHide(() => resolve(undefined)));
      pick.show();
    });
  } finally {
    store.dispose();
  }
}

function items(
  records: readonly CallRecord[],
  reads: readonly LedgerEntry[],
  current: ActivityFilter,
  text: string,
): FilterItem[] {
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();
  const group = (label: string, all: readonly FilterItem[]): FilterItem[] =>
    all.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...all];
  return [
    ...(text === '' ? [] : [{ label: `Text: ${inertLine(text)}`, alwaysShow: true, next: { ...current, text } }]),
    ...(isFiltered(current) ? [{ label: 'Clear Filter', description: inertLine(filterWords(current)), next: {} }] : []),
    ...group(
      'Show',
      current.reads
        ? [{ label: 'Calls', description: counted(records.length, 'call'), next: {} }]
        : [{ label: 'What Agents Read', description: counted(reads.length, 'read'), next: { reads: true } }],
    ),
    ...group(
      'Server',
      distinct(current.reads ? [] : records.map(({ key }) => key)).map((server) => ({
        label: inertLine(server),
        next: { ...current, server },
      })),
    ),
    ...group(
      'Who',
      distinct(current.reads ? reads.map(({ client }) => client) : records.map(({ caller }) => caller.label)).map(
        (who) => ({
          label: inertLine(who),
          next: { ...current, who },
        }),
      ),
    ),
    ...group(
      'Outcome',
      outcomeFilters.map((outcome) => ({ label: outcome, next: { ...current, outcome } })),
    ),
  ];
}
