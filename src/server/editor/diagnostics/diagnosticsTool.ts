import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { DiagnosticSeverity } from '../editorTypes';
import { assertQuickGlob } from '../files/agentGlobs';
import { longest } from '../inputLimits';
import type { EditorTool } from '../offerTypes';
import { oneLine } from '../oneLine';
import { SourceLines } from '../sourceLines';
import { answer, argument, defineTool, word } from '../toolSchemas';
import type { WorkspaceFile } from '../workspaceTypes';
import { type DiagnosticItem, lineOf, severities } from './diagnosticItems';
import { diagnosticsSchema } from './diagnosticsSchema';
import type { DiagnosticsQuery, DiagnosticsReport } from './diagnosticsReader';

const defaultLimit = 150;
/** How many files' states are told one by one. */
const maxStates = 60;
const defaultTimeoutMs = 5_000;

interface Args {
  readonly files?: readonly string[];
  readonly folder?: string;
  readonly modified?: boolean;
  readonly workspace?: string;
  readonly severities?: readonly DiagnosticSeverity[];
  readonly sources?: readonly string[];
  readonly excludeSources?: readonly string[];
  readonly glob?: string;
  readonly changedSince?: string;
  readonly newSince?: string;
  readonly order?: 'severity' | 'path';
  readonly loadFiles?: number;
  readonly timeoutMs?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

/** What every page of an answer begins with. */
type Head = Omit<DiagnosticsReport, 'items' | 'files'> & {
  readonly files: DiagnosticsReport['files'];
  readonly filesLookedAt: number;
};

export function diagnosticsTool(parts: EditorParts): EditorTool {
  return defineTool<Args>({
    name: 'get_diagnostics',
    title: 'Get diagnostics',
    description:
      'Problems that the editor knows: of files, of a folder, of files changed in Git, or of the workspace. Unsaved text counts. ' +
      'Waits until analysis is over and says for each file whether it was (state). Only where complete is true does an ' +
      'empty list mean that there are no problems. Lines and columns count from 1.',
    group: 'read',
    input: {
      files: {
        type: 'array',
        items: argument.file,
        minItems: 1,
        maxItems: 200,
        description: 'These files, each loaded and waited for.',
      },
      folder: {
        type: 'string',
        maxLength: longest.address,
        description: 'What is known of the files below this directory.',
      },
      modified: { type: 'boolean', description: 'Files that are changed in Git and not committed.' },
      workspace: argument.workspace,
      severities: {
        type: 'array',
        items: { type: 'string', enum: severities },
        maxItems: 20,
        description: 'Default: error and warning.',
      },
      sources: { type: 'array', items: word, maxItems: 100, description: 'Only of these, such as "ts" or "eslint".' },
      excludeSources: { type: 'array', items: word, maxItems: 100, description: 'All but of these.' },
      glob: {
        type: 'string',
        minLength: 1,
        maxLength: longest.glob,
        description: 'Only files whose path below the folder fits, such as "src/**/*.ts".',
      },
      changedSince: { ...word, description: 'Only files written or put there since this ISO 8601 time, or not saved.' },
      newSince: { ...word, description: 'A baseline of an earlier answer: only what is new since.' },
      order: { type: 'string', enum: ['severity', 'path'], description: 'Default: severity.' },
      loadFiles: {
        type: 'integer',
        minimum: 0,
        maximum: 200,
        description: 'For folder and workspace: load up to so many files that nobody looked at yet. Default 0.',
      },
      timeoutMs: { type: 'integer', minimum: 0, maximum: 45_000, description: 'How long to wait. Default 5000.' },
      limit: { type: 'integer', minimum: 1, maximum: 500, description: 'Problems per answer. Default 150.' },
      cursor: argument.cursor,
    },
    output: diagnosticsSchema,
    async run(args, context) {
      const dress = (items: readonly DiagnosticItem[]) => withLines(items, parts);
      const { client } = context;
      if (args.cursor !== undefined) {
        return present(await parts.pages.next<DiagnosticItem, Head>(client, 'get_diagnostics', args.cursor, dress));
      }
      const report = await parts.diagnostics.report({
        ...(await queryOf(args, parts)),
        signal: context.signal,
        progress: (done, total) => context.progress({ progress: done, total, message: `${done} of ${total} files` }),
      });
      const { items, ...rest } = report;
      const head: Head = { ...rest, files: telling(report.files), filesLookedAt: report.files.length };
      return present(
        await parts.pages.first(client, 'get_diagnostics', head, items, args.limit ?? defaultLimit, dress),
      );
    },
  });
}

async function queryOf(args: Args, parts: EditorParts): Promise<Omit<DiagnosticsQuery, 'signal'>> {
  const named = [args.files, args.folder, args.modified || undefined].filter((scope) => scope !== undefined);
  if (named.length > 1) {
    throw new PorticoError('ARGUMENTS_INVALID', 'files, folder, modified: give one of them only.');
  }
  if (args.glob !== undefined) {
    assertQuickGlob('glob', args.glob);
  }
  const changedSince = args.changedSince === undefined ? undefined : Date.parse(args.changedSince);
  if (changedSince !== undefined && Number.isNaN(changedSince)) {
    throw new PorticoError('ARGUMENTS_INVALID', 'changedSince: it must be a time such as 2026-11-28T09:00:00Z.');
  }
  return {
    scope: await scopeOf(args, parts),
    severities: args.severities ?? ['error', 'warning'],
    ...(args.sources === undefined ? {} : { sources: args.sources }),
    ...(args.excludeSources === undefined ? {} : { excludeSources: args.excludeSources }),
    ...(args.glob === undefined ? {} : { glob: args.glob }),
    ...(changedSince === undefined ? {} : { changedSince }),
    ...(args.newSince === undefined ? {} : { newSince: args.newSince }),
    order: args.order ?? 'severity',
    load: args.loadFiles ?? 0,
    timeoutMs: args.timeoutMs ?? defaultTimeoutMs,
  };
}

async function scopeOf(args: Args, { files, ports }: EditorParts): Promise<DiagnosticsQuery['scope']> {
  if (args.files !== undefined) {
    return { kind: 'files', files: await Promise.all(args.files.map((file) => files.find(file, args.workspace))) };
  }
  if (args.folder !== undefined || args.workspace !== undefined) {
    return { kind: 'directory', directory: await files.findDirectory(args.folder ?? '.', args.workspace) };
  }
  if (!args.modified) {
    return { kind: 'workspace' };
  }
  const changes = await ports.git.changes();
  if (changes === undefined) {
    throw new PorticoError(
      'NOT_SUPPORTED',
      'modified: the Git extension of the editor is not there. Use files instead.',
    );
  }
  const changed = changes.filter(({ status }) => status !== 'deleted').flatMap(({ uri }) => files.ofUri(uri) ?? []);
  return { kind: 'files', files: await existing(changed, { files }) };
}

async function existing(
  all: readonly WorkspaceFile[],
  { files }: Pick<EditorParts, 'files'>,
): Promise<readonly WorkspaceFile[]> {
  const found = await Promise.all(all.map(async (file) => ((await files.stat(file)) === undefined ? [] : [file])));
  return found.flat();
}

/** The files worth a word first: those that are not fresh, then those with problems. */
function telling(files: DiagnosticsReport['files']): DiagnosticsReport['files'] {
  const rank = ({ state, problems }: DiagnosticsReport['files'][number]): number =>
    state === 'fresh' ? (problems > 0 ? 1 : 2) : 0;
  return [...files].sort((a, b) => rank(a) - rank(b)).slice(0, maxStates);
}

export async function withLines(
  items: readonly DiagnosticItem[],
  { files }: Pick<EditorParts, 'files'>,
): Promise<readonly DiagnosticItem[]> {
  const lines = new SourceLines(files);
  return Promise.all(
    items.map(async (item): Promise<DiagnosticItem> => {
      const { text, pastEnd } = await lines.at(item.uri, item.line);
      return {
        ...item,
        ...(text === undefined ? {} : { sourceLine: text }),
        ...(pastEnd === undefined ? {} : { pastEnd }),
      };
    }),
  );
}

function present({
  head,
  items,
  total,
  nextCursor,
}: {
  readonly head: Head;
  readonly items: readonly DiagnosticItem[];
  readonly total: number;
  readonly nextCursor: string | undefined;
}) {
  const text = [summaryOf(head, total), ...items.map(lineOf)];
  if (nextCursor !== undefined) {
    text.push(`${items.length} of ${total} are listed; the rest follows with cursor ${nextCursor}.`);
  }
  return answer({ ...head, total, items, nextCursor }, text.join('\n'));
}

/** What may be concluded, in words: "No problems" stands there only where it is known. */
export function summaryOf(
  head: Pick<Head, 'complete' | 'incompleteBecause' | 'files' | 'baseline'>,
  total: number,
): string {
  const unsettled = head.files.filter(({ state }) => state !== 'fresh').slice(0, 5);
  const states = unsettled.map(({ file, state, reason }) =>
    oneLine(`${file}: ${state}${reason ? ` (${reason})` : ''}`),
  );
  const found = total === 1 ? '1 problem' : `${total} problems`;
  const none = head.files.length > 0 ? 'No problems.' : 'No file was looked at.';
  const first = total > 0 ? `${found}.` : head.complete ? none : 'No problems are known, but there may be some.';
  const doubt = head.incompleteBecause === undefined ? [] : [`Incomplete: ${head.incompleteBecause}`];
  return [first, ...doubt, ...states, `Baseline: ${head.baseline}`].join('\n');
}
