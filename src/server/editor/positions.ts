import type { EditorPosition, EditorRange } from './editorTypes';

/** A range as agents see it: lines and columns count from 1, columns in UTF-16 units, the end column is exclusive. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export function spanOf({ start, end }: EditorRange): Span {
  return { line: start.line + 1, column: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}

export function rangeOf({ line, column, endLine, endColumn }: Span): EditorRange {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

export function comparePositions(a: EditorPosition, b: EditorPosition): number {
  return a.line - b.line || a.character - b.character;
}

export function contains({ start, end }: EditorRange, at: EditorPosition): boolean {
  return comparePositions(start, at) <= 0 && comparePositions(at, end) <= 0;
}
