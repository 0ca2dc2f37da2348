import { PorticoError } from '../../../base/errors';
import { readCursor, writeCursor } from './cursors';

/** Where reading a file goes on, and the text that this goes for. */
export interface PartPlace {
  readonly line: number;
  readonly column: number;
  readonly stamp: string;
}

export function partCursor(uri: string, { line, column, stamp }: PartPlace): string {
  return writeCursor([uri, stamp, line, column]);
}

/** Rejects cursors of another file, and what is no cursor. */
export function readPartCursor(cursor: string, file: string): PartPlace {
  const [uri, stamp, line, column] = readCursor(cursor);
  if (uri !== file || typeof stamp !== 'string' || !isPlace(line) || !isPlace(column)) {
    throw new PorticoError('ARGUMENTS_INVALID', 'The cursor is not one of this file. Read it without a cursor.');
  }
  return { line, column, stamp };
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
