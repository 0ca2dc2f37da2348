import { PorticoError } from '../../../base/errors';

/** Where reading a file goes on, and the text that this goes for. */
export interface PartPlace {
  readonly line: number;
  readonly column: number;
  readonly stamp: string;
}

export function partCursor(uri: string, { line, column, stamp }: PartPlace): string {
  return Buffer.from(JSON.stringify([uri, stamp, line, column])).toString('base64url');
}

/** Rejects cursors of another file, and what is no cursor. */
export function readPartCursor(cursor: string, file: string): PartPlace {
  const [uri, stamp, line, column] = parse(cursor);
  if (uri !== file || typeof stamp !== 'string' || !isPlace(line) || !isPlace(column)) {
    throw new PorticoError('ARGUMENTS_INVALID', 'The cursor is not one of this file. Read it without a cursor.');
  }
  return { line, column, stamp };
}

function parse(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(read) ? read : [];
  } catch {
    // None of ours.
    return [];
  }
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
