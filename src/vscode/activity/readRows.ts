import { sizeText } from '../../base/sizeText';
import { visibleJson } from '../../base/visibleJson';
import type { LedgerEntry } from '../../server/ledgerTypes';
import { plainLine } from '../interop/text';
import { type ActivityRow, timeOfDay } from './activityRows';

const looks: Readonly<Record<LedgerEntry['outcome'], { icon: string; color?: string; words: string }>> = {
  given: { icon: 'check', color: 'testing.iconPassed', words: 'given' },
  refused: { icon: 'circle-slash', words: 'refused' },
  failed: { icon: 'error', color: 'notificationsErrorIcon.foreground', words: 'failed' },
};

/** `harbour.md` · `Codex · read_file · lines 1-20 · 2 KB · 14:05`; what was not given says so in front. */
export function readRow(entry: LedgerEntry): ActivityRow {
  const { client, kind, what, part, bytes, outcome, at } = entry;
  const { icon, color, words } = looks[outcome];
  const file = fileOf(entry);
  const label = plainLine(file === undefined ? decoded(what) : lastSegment(file), 80);
  const who = plainLine(client, 40);
  const details = [
    ...(file !== undefined && kind !== 'resource' ? [plainLine(what, 60)] : []),
    ...(kind === 'prompt' ? ['prompt'] : []),
    ...(part === undefined ? [] : [plainLine(part, 80)]),
    ...(outcome === 'given' ? [sizeText(bytes)] : []),
  ];
  return {
    label,
    description: [...(outcome === 'given' ? [] : [words]), who, ...details, timeOfDay(at)].join(' · '),
    icon,
    ...(color === undefined ? {} : { color }),
    contextValue: file === undefined ? 'read' : 'read.file',
    spoken: [label, words, `to ${who}`, ...details, `at ${timeOfDay(at)}`].join(', '),
  };
}

/** The whole of it, one fact a line. */
export function readFacts({ at, client, program, what, file, part, bytes, outcome }: LedgerEntry): readonly string[] {
  return [
    decoded(what),
    ...(file === undefined ? [] : [file]),
    ...(part === undefined ? [] : [part]),
    `${looks[outcome].words} to ${client}${program === undefined ? '' : ` (${program})`}`,
    `${new Date(at).toLocaleString()} · ${sizeText(bytes)}`,
  ].map((fact) => plainLine(fact, 1_000));
}

/** The file that a row is about, as the agent named it: a path or a `file:` URI. */
export function fileOf({ kind, what, file }: LedgerEntry): string | undefined {
  return kind === 'resource' && /^file:/i.test(what) ? what : file;
}

/** All of them as JSON Lines, the newest first. */
export function readsDocument(entries: readonly LedgerEntry[]): string {
  return entries
    .map(({ at, client, program, kind, what, file, part, bytes, outcome }) => {
      const line = { time: new Date(at).toISOString(), agent: client, outcome, what, file, part, bytes, kind, program };
      return `${visibleJson(line, 0)}\n`;
    })
    .join('');
}

function lastSegment(file: string): string {
  const path = /^file:/i.test(file) ? decoded(file) : file;
  return (
    path
      .split(/[\\/]+/)
      .filter((segment) => segment !== '')
      .at(-1) ?? file
  );
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // Not what it says it is; shown as it came.
    return uri;
  }
}
