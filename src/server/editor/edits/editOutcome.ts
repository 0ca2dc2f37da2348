import type { CallToolResult } from '@modelcontextprotocol/server';
import { PorticoError } from '../../../base/errors';
import { lineOf } from '../diagnostics/diagnosticItems';
import { fileStateSchema, itemsSchema } from '../diagnostics/diagnosticsSchema';
import { withLines } from '../diagnostics/diagnosticsTool';
import type { EditorParts } from '../editorParts';
import type { EditorEdit } from '../editorTypes';
import { oneLine } from '../oneLine';
import { answer, listOf, objectSchema } from '../toolSchemas';
import type { WorkspaceFile } from '../workspaceTypes';

const text = { type: 'string' } as const;
const settleMs = 5_000;
const maxNew = 50;
const maxFiles = 50;

/** What every tool that changes files answers. */
export const outcomeSchema = objectSchema(
  {
    state: {
      type: 'string',
      enum: ['applied', 'refused', 'waiting', 'unchanged'],
      description: 'waiting: the person has not decided; get_result gives what comes of it.',
    },
    handle: text,
    files: listOf(
      objectSchema({ file: text, uri: text, version: { type: 'integer' }, dirty: { type: 'boolean' }, lines: text }, [
        'file',
        'uri',
      ]),
    ),
    states: listOf(fileStateSchema),
    newProblems: itemsSchema,
    newProblemsTotal: { type: 'integer' },
    complete: { type: 'boolean', description: 'Whether analysis of the changed files was over.' },
  },
  ['state'],
);

/** The files of an edit. Rejects with CALL_DENIED where one may not be changed by agents. */
export async function filesOf({ files }: EditorParts, edit: EditorEdit): Promise<readonly WorkspaceFile[]> {
  const passed = await Promise.all(urisOf(edit).map((uri) => files.passing(uri)));
  return passed.map((file) => {
    if (file === undefined) {
      throw new PorticoError(
        'CALL_DENIED',
        'It would change a file that is outside the workspace or on the list of secret files. Nothing was changed.',
      );
    }
    return file;
  });
}

function urisOf({ edits, files }: EditorEdit): readonly string[] {
  const uris = [
    ...edits.map(({ uri }) => uri),
    ...files.flatMap(({ uri, to }) => (to === undefined ? [uri] : [uri, to])),
  ];
  return [...new Set(uris)];
}

export function isEmpty({ edits, files }: EditorEdit): boolean {
  return files.length === 0 && edits.every(({ replacements }) => replacements.length === 0);
}

export function unchanged(why: string): CallToolResult {
  return answer({ state: 'unchanged' }, why);
}

export function refusedByPerson(): CallToolResult {
  return answer({ state: 'refused' }, 'The person refused. Nothing was changed; ask them what they want instead.');
}

/** After a change: the changed files, and the problems that it brought once analysis is over. */
export async function changedOutcome(
  parts: EditorParts,
  edit: EditorEdit,
  baseline: string,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const gone = new Set(edit.files.flatMap(({ kind, uri }) => (kind === 'create' ? [] : [uri])));
  const passed = await Promise.all(urisOf(edit).map((uri) => parts.files.passing(uri)));
  const changed = passed.filter((file) => file !== undefined).filter(({ uri }) => !gone.has(uri));
  const files = changed.slice(0, maxFiles).map((file) => {
    const document = parts.files.documentOf(file);
    const lines = edit.edits
      .filter(({ uri }) => parts.files.ofUri(uri)?.uri === file.uri)
      .flatMap(({ replacements }) => replacements.map(({ range }) => range.start.line + 1))
      .sort((a, b) => a - b);
    return {
      file: file.label,
      uri: file.uri,
      version: document?.version,
      dirty: document?.isDirty ?? false,
      lines: [...new Set(lines)].join(', '),
    };
  });
  const report = await parts.diagnostics.report({
    scope: { kind: 'files', files: changed.slice(0, maxFiles) },
    severities: ['error', 'warning'],
    newSince: baseline,
    order: 'severity',
    load: 0,
    timeoutMs: settleMs,
    signal,
  });
  const newProblems = await withLines(report.items.slice(0, maxNew), parts);
  const told = files.map(
    ({ file, dirty, lines }) =>
      `Changed ${oneLine(file)}${lines ? `, lines ${lines}` : ''}${dirty ? ' (not saved)' : ''}`,
  );
  const problems =
    newProblems.length > 0
      ? ['New problems:', ...newProblems.map(lineOf)]
      : [report.complete ? 'No new problems.' : `New problems are not known: ${report.incompleteBecause ?? ''}`];
  return answer(
    {
      state: 'applied',
      files,
      states: report.files,
      newProblems,
      newProblemsTotal: report.items.length,
      complete: report.complete,
    },
    [...told, ...problems].join('\n'),
  );
}
