import type { DiagnosticSeverity, EditorDiagnostic, EditorPorts } from '../editorTypes';
import { oneLine } from '../oneLine';
import { type Span, spanOf } from '../positions';
import type { WorkspaceFile, WorkspaceFiles } from '../workspaceTypes';

export const severities = ['error', 'warning', 'information', 'hint'] as const satisfies readonly DiagnosticSeverity[];

/** A problem as agents see it. */
export interface DiagnosticItem extends Span {
  readonly file: string;
  readonly uri: string;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  readonly source?: string;
  readonly code?: string;
  readonly codeUrl?: string;
  readonly tags?: readonly string[];
  readonly related?: readonly (Span & { readonly file: string; readonly message: string })[];
  /** The line's text, by which a wrong count is seen. */
  readonly sourceLine?: string;
  /** The text ends before it: it is of an older text. */
  readonly pastEnd?: true;
}

/** A file with what extensions have said of it. */
export interface FileDiagnostics {
  readonly file: WorkspaceFile;
  readonly items: readonly DiagnosticItem[];
}

/** What the editor knows now of the files that agents may hear of, without hidden sources and doubles. */
export function knownDiagnostics(
  ports: Pick<EditorPorts, 'diagnostics' | 'settings'>,
  files: WorkspaceFiles,
): readonly FileDiagnostics[] {
  const hidden = new Set(ports.settings.peek().hiddenSources.map((source) => source.toLowerCase()));
  const byUri = new Map<string, { file: WorkspaceFile; items: Map<string, DiagnosticItem> }>();
  for (const [uri, diagnostics] of ports.diagnostics.all()) {
    const file = files.ofUri(uri);
    if (file === undefined) {
      continue;
    }
    // The same file may be known by two spellings.
    const entry = byUri.get(file.uri) ?? { file, items: new Map<string, DiagnosticItem>() };
    byUri.set(file.uri, entry);
    for (const diagnostic of diagnostics) {
      if (diagnostic.source === undefined || !hidden.has(diagnostic.source.toLowerCase())) {
        const item = itemOf(diagnostic, file, files);
        entry.items.set(JSON.stringify(item), item);
      }
    }
  }
  return [...byUri.values()].map(({ file, items }) => ({ file, items: [...items.values()] }));
}

function itemOf(diagnostic: EditorDiagnostic, file: WorkspaceFile, files: WorkspaceFiles): DiagnosticItem {
  const { source, code, codeUrl, tags, related } = diagnostic;
  return {
    file: file.label,
    uri: file.uri,
    ...spanOf(diagnostic.range),
    severity: diagnostic.severity,
    message: diagnostic.message,
    ...(source === undefined ? {} : { source }),
    ...(code === undefined ? {} : { code }),
    ...(codeUrl === undefined ? {} : { codeUrl }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(related.length === 0
      ? {}
      : {
          related: related.map(({ uri, range, message }) => ({
            file: files.ofUri(uri)?.label ?? uri,
            ...spanOf(range),
            message,
          })),
        }),
  };
}

export type DiagnosticOrder = 'severity' | 'path';

/** By severity, path and place; or by path first. */
export function sortDiagnostics(items: readonly DiagnosticItem[], order: DiagnosticOrder): DiagnosticItem[] {
  const rank = ({ severity }: DiagnosticItem): number => severities.indexOf(severity);
  const byPath = (a: DiagnosticItem, b: DiagnosticItem): number => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0);
  const bySeverity = (a: DiagnosticItem, b: DiagnosticItem): number => rank(a) - rank(b);
  const [first, second] = order === 'severity' ? [bySeverity, byPath] : [byPath, bySeverity];
  return [...items].sort(
    (a, b) =>
      first(a, b) ||
      (order === 'severity' ? second(a, b) : 0) ||
      a.line - b.line ||
      a.column - b.column ||
      second(a, b) ||
      (a.message < b.message ? -1 : 1),
  );
}

/** `src/a.ts:3:5 error Cannot find name 'x'. [ts 2304]` */
export function lineOf(item: DiagnosticItem): string {
  const origin = [item.source, item.code].filter((part) => part !== undefined).join(' ');
  const message = item.message.replaceAll(/\s*\n\s*/g, ' ');
  return `${oneLine(item.file)}:${item.line}:${item.column} ${item.severity} ${oneLine(message)}${origin === '' ? '' : ` [${oneLine(origin)}]`}${item.pastEnd ? ' (past the end of the text: outdated)' : ''}`;
}
