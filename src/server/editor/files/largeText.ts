import { cancelled, PorticoError } from '../../../base/errors';
import { sizeText } from '../../../base/sizeText';
import type { OpenedFile } from './openedFile';
import { PieceDecoder } from './textDecoding';
import { type LinesTaken, type LinesWanted, takeLines } from './takeLines';

const CHUNK_BYTES = 256 * 1_024;
/** What lies further in a file is not looked for: it is read from the beginning each time, as nobody knows where its lines are. */
export const MOST_SCANNED = 256 * 1_024 * 1_024;

export interface LargeText {
  readonly file: OpenedFile;
  /** In bytes: how long the mark is that tells the encoding. */
  readonly mark: number;
  readonly encoding: string;
}

/**
 * Takes lines of a text that is too large to be held: in one pass, of which no more is kept than what was asked for.
 * Nothing where the text ends before. Throws a TypeError where it is not in its encoding; rejects with RESOURCE_FAILED where the place is too far in it, with CANCELLED once the
 * signal is aborted.
 */
export async function takeLinesOfLarge(
  { file, mark, encoding }: LargeText,
  wanted: LinesWanted,
  signal: AbortSignal,
): Promise<(LinesTaken & { readonly eol: 'lf' | 'crlf' }) | undefined> {
  const { size } = file;
  const decoder = new PieceDecoder(encoding);
  const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  /** Enough to see that a line goes on. */
  const needed = wanted.maxCharacters + 2;
  let feeds = wanted.startLine - 1;
  let skipped = wanted.column - 1;
  let kept = '';
  for (let at = mark; at < size && kept.length < needed;) {
    if (signal.aborted) {
      throw cancelled('Reading the file');
    }
    if (at >= MOST_SCANNED) {
      throw new PorticoError(
        'RESOURCE_FAILED',
        `This place is not in the first ${sizeText(MOST_SCANNED)} of the file, which are all that is read of it. Give an earlier line.`,
      );
    }
    const bytesRead = await file.read(bytes, at);
    at = bytesRead === 0 ? size : at + bytesRead;
    const text = decoder.decode(bytes.subarray(0, bytesRead), at < size);
    let start = 0;
    for (; feeds > 0 && start < text.length; feeds -= 1) {
      const feed = text.indexOf('\n', start);
      if (feed < 0) {
        break;
      }
      start = feed + 1;
    }
    if (feeds === 0) {
      const left = Math.min(skipped, text.length - start);
      skipped -= left;
      kept += text.slice(start + left, start + left + needed - kept.length);
    }
  }
  if (feeds > 0 || (kept === '' && wanted.startLine > 1)) {
    return undefined;
  }
  const shift = wanted.startLine - 1;
  const endLine = wanted.endLine === undefined ? {} : { endLine: wanted.endLine - shift };
  const taken = takeLines(kept, { startLine: 1, column: 1, maxCharacters: wanted.maxCharacters, ...endLine });
  return (
    taken && {
      text: taken.text,
      startLine: wanted.startLine,
      endLine: taken.endLine + shift,
      eol: kept.includes('\r\n') ? 'crlf' : 'lf',
      ...(taken.next ? { next: whence(taken.next, wanted) } : {}),
    }
  );
}

/** A place in the kept part as one in the file: columns of its first line count from where it begins to be told. */
function whence(
  { line, column }: { readonly line: number; readonly column: number },
  { startLine, column: first }: LinesWanted,
): { readonly line: number; readonly column: number } {
  return { line: line + startLine - 1, column: line === 1 ? column + first - 1 : column };
}
