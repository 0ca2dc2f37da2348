import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { EditorSymbol } from '../editorTypes';
import { loadDocument } from '../loadedDocument';
import { type Span, spanOf } from '../positions';
import type { WorkspaceFile } from '../workspaceTypes';

/** A symbol as agents see it. `line` and `column` are where its name stands, `startLine` and `lastLine` what it spans. */
export interface SymbolItem extends Span {
  /** With what contains it: `Shop.open`. */
  readonly name: string;
  readonly kind: string;
  readonly detail?: string;
  readonly file: string;
  readonly uri: string;
  readonly startLine: number;
  readonly lastLine: number;
}

/** All symbols of a file, nested ones after what contains them. Rejects with NOT_SUPPORTED where nobody provides them. */
export async function symbolsOf(parts: EditorParts, file: WorkspaceFile): Promise<readonly SymbolItem[]> {
  const document = await loadDocument(parts, file);
  const symbols = await parts.ports.language.documentSymbols(document.uri);
  if (symbols === undefined) {
    throw new PorticoError(
      'NOT_SUPPORTED',
      `No language extension gives the symbols of ${document.languageId} files here. search_text finds names as text.`,
    );
  }
  return symbols.flatMap((symbol) => flatten(symbol, file, ''));
}

function flatten(symbol: EditorSymbol, file: WorkspaceFile, container: string): SymbolItem[] {
  const within = container || (symbol.container ?? '');
  const name = within === '' ? symbol.name : `${within}.${symbol.name}`;
  return [symbolItem(symbol, file, name), ...symbol.children.flatMap((child) => flatten(child, file, name))];
}

export function symbolItem(symbol: EditorSymbol, file: WorkspaceFile, name: string): SymbolItem {
  return {
    name,
    kind: symbol.kind,
    ...(symbol.detail === '' ? {} : { detail: symbol.detail }),
    file: file.label,
    uri: file.uri,
    ...spanOf(symbol.selection),
    startLine: symbol.range.start.line + 1,
    lastLine: symbol.range.end.line + 1,
  };
}

/** Symbols of the whole workspace that fit a query, those of other places left out. */
export async function workspaceSymbols(parts: EditorParts, query: string): Promise<readonly SymbolItem[]> {
  const found = await parts.ports.language.workspaceSymbols(query);
  const items = await Promise.all(
    found.map(async (symbol) => {
      const file = await parts.files.passing(symbol.uri);
      const name = symbol.container ? `${symbol.container}.${symbol.name}` : symbol.name;
      return file === undefined ? [] : [symbolItem(symbol, file, name)];
    }),
  );
  const distinct = [...new Map(items.flat().map((item) => [JSON.stringify(item), item])).values()];
  return distinct.sort(
    (a, b) =>
      Number(isNamed(b, query)) - Number(isNamed(a, query)) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column),
  );
}

/** Whether a symbol is meant by a name, alone or after its container's. */
export function isNamed({ name }: SymbolItem, wanted: string): boolean {
  return name === wanted || name.endsWith(`.${wanted}`);
}
