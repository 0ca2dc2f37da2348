import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import type { EditorParts } from '../editorParts';
import type { EditorPosition, OpenDocument } from '../editorTypes';
import { loadDocument } from '../loadedDocument';
import { countLines, lineCount } from '../files/takeLines';
import { oneLine } from '../oneLine';
import { shortLine } from '../sourceLines';
import type { WorkspaceFile } from '../workspaceTypes';
import { isNamed, type SymbolItem, symbolsOf, workspaceSymbols } from './symbolList';

const maxCandidates = 20;
const word = /[\p{L}\p{N}_$]+/gu;

/** A symbol by its place, or by its name where a file (and perhaps a line) narrows it down. */
export interface SymbolArgs {
  readonly file?: string;
  readonly workspace?: string;
  readonly line?: number;
  readonly column?: number;
  readonly name?: string;
}

/** The token that is meant, with its line, by which a wrong count is seen. */
export interface Located {
  readonly file: WorkspaceFile;
  readonly document: OpenDocument;
  readonly at: EditorPosition;
  readonly token: string;
  readonly sourceLine: string;
}

/** Finds what is meant. Rejects with ARGUMENTS_INVALID, listing the candidates, where it could be several or nothing. */
export async function locate(parts: EditorParts, args: SymbolArgs): Promise<Located> {
  if (args.file === undefined) {
    if (args.name === undefined) {
      throw new PorticoError('ARGUMENTS_INVALID', 'Give file with line and column, or name (with file where known).');
    }
    const name = args.name;
    const found = (await workspaceSymbols(parts, name.split('.').at(-1) ?? name)).filter((item) => isNamed(item, name));
    return ofSymbol(parts, only(name, found));
  }
  const file = await parts.files.find(args.file, args.workspace);
  const document = await loadDocument(parts, file);
  if (args.name !== undefined) {
    return byName(parts, file, document, args.name, args.line);
  }
  if (args.line === undefined) {
    throw new PorticoError('ARGUMENTS_INVALID', 'line: give it with column, or give name instead.');
  }
  return snap(file, document, args.line, args.column);
}

async function byName(
  parts: EditorParts,
  file: WorkspaceFile,
  document: OpenDocument,
  name: string,
  line: number | undefined,
): Promise<Located> {
  const symbols = await symbolsOf(parts, file).catch((error: unknown) => {
    if (PorticoError.is(error, 'NOT_SUPPORTED')) {
      return [];
    }
    throw error;
  });
  const named = symbols.filter((item) => isNamed(item, name));
  const there = line === undefined ? named : named.filter((item) => item.line === line);
  if (there.length > 0) {
    return ofSymbol(parts, only(name, there));
  }
  const token = name.split('.').at(-1) ?? name;
  const uses = tokensNamed(document, token).filter((use) => line === undefined || use.line === line - 1);
  const [first] = uses;
  const lines = new Set(uses.map((use) => use.line));
  if (first === undefined) {
    throw new PorticoError(
      'ARGUMENTS_INVALID',
      `name: there is no ${quoted(name)} in ${file.label}${line === undefined ? '' : ` on line ${line}`}.`,
    );
  }
  if (lines.size > 1) {
    const choices = [...lines].slice(0, maxCandidates).map((at) => `${at + 1}: ${lineText(document, at).trim()}`);
    throw new PorticoError(
      'ARGUMENTS_INVALID',
      `name: ${quoted(name)} stands on several lines of ${file.label}. Call again with one as line:\n${choices.join('\n')}`,
    );
  }
  return located(file, document, first, token);
}

function only(name: string, items: readonly SymbolItem[]): SymbolItem {
  const [first, ...others] = items;
  if (first === undefined) {
    throw new PorticoError('ARGUMENTS_INVALID', `name: no symbol ${quoted(name)} is known. Give its file too.`);
  }
  if (others.length > 0) {
    const choices = items
      .slice(0, maxCandidates)
      .map(({ file, line, kind, name: whole }) => oneLine(`${file}:${line} ${kind} ${whole}`));
    throw new PorticoError(
      'ARGUMENTS_INVALID',
      `name: ${quoted(name)} could be one of ${items.length}. Call again with file and line of one:\n${choices.join('\n')}`,
    );
  }
  return first;
}

async function ofSymbol(parts: EditorParts, item: SymbolItem): Promise<Located> {
  const file = await parts.files.find(item.uri);
  return snap(file, await loadDocument(parts, file), item.line, item.column);
}

/** The token at a place, or the nearest one on its line: models miscount columns. */
function snap(file: WorkspaceFile, document: OpenDocument, line: number, column: number | undefined): Located {
  if (line > countLines(document.text())) {
    throw new PorticoError('ARGUMENTS_INVALID', `line: ${file.label} has ${lineCount(document.text())}.`);
  }
  const text = lineText(document, line - 1);
  const tokens = [...text.matchAll(word)].map((match) => ({ start: match.index, token: match[0] }));
  if (column === undefined && tokens.length !== 1) {
    throw new PorticoError('ARGUMENTS_INVALID', `column: line ${line} is: ${shortLine(text).trim()}`);
  }
  const wanted = (column ?? 1) - 1;
  const distance = ({ start, token }: (typeof tokens)[number]): number =>
    wanted < start ? start - wanted : Math.max(0, wanted - start - token.length);
  const [nearest] = tokens.sort((a, b) => distance(a) - distance(b) || b.start - a.start);
  if (nearest === undefined) {
    throw new PorticoError('ARGUMENTS_INVALID', `line: there is no name on line ${line}: ${shortLine(text).trim()}`);
  }
  const inside = distance(nearest) === 0 && wanted < nearest.start + nearest.token.length;
  const character = inside && column !== undefined ? wanted : nearest.start;
  return located(file, document, { line: line - 1, character }, nearest.token);
}

function located(file: WorkspaceFile, document: OpenDocument, at: EditorPosition, token: string): Located {
  return { file, document, at, token, sourceLine: shortLine(lineText(document, at.line)) };
}

function tokensNamed(document: OpenDocument, token: string): EditorPosition[] {
  return document
    .text()
    .split(/\r\n|\r|\n/)
    .flatMap((text, line) =>
      [...text.matchAll(word)].flatMap((match) => (match[0] === token ? [{ line, character: match.index }] : [])),
    );
}

function lineText(document: OpenDocument, line: number): string {
  const end = { line: line + 1, character: 0 };
  return document.text({ start: { line, character: 0 }, end }).replace(/\r?\n$/, '');
}
