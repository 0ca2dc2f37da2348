/** What bytes are: a text with the name of its encoding and without its byte order mark, or no text. */
export type Decoded =
  { readonly kind: 'text'; readonly text: string; readonly encoding: string } | { readonly kind: 'binary' };

/** How far a NUL is looked for, which no text has; as Git and the editor do it. */
const SNIFFED_BYTES = 8_192;
/** Of bytes that are no UTF-8: every byte is a sign of its own in it, so that nothing is lost. */
const GUESSED = 'latin1';
export const GUESS = `${GUESSED} (guessed)`;
const UTF8_MARKED = 'utf-8 with BOM';

const marks: readonly { readonly encoding: string; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The encoding that a byte order mark tells, and the length of the mark. */
export function markOf(bytes: Uint8Array): { readonly encoding: string; readonly length: number } | undefined {
  const mark = marks.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  return mark && { encoding: mark.encoding, length: mark.bytes.length };
}

/** By its first bytes. */
export function isBinary(bytes: Uint8Array): boolean {
  return markOf(bytes) === undefined && bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

export function decodeText(bytes: Uint8Array): Decoded {
  if (isBinary(bytes)) {
    return { kind: 'binary' };
  }
  const mark = markOf(bytes);
  const text = bytes.subarray(mark?.length ?? 0);
  const encoding = encodingOf(bytes, false);
  const decoder = new PieceDecoder(encoding);
  return { kind: 'text', text: decoder.decode(text, false), encoding };
}

/** As agents are told of it. `isCut`: the bytes are the first of a text, and may end within a character. */
export function encodingOf(bytes: Uint8Array, isCut: boolean): string {
  const mark = markOf(bytes);
  if (mark && mark.encoding !== 'utf-8') {
    return mark.encoding;
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return mark ? UTF8_MARKED : 'utf-8';
  } catch {
    // No UTF-8, and nothing tells what it is.
    return GUESS;
  }
}

/** Decodes a text piece by piece, without its mark. Throws a TypeError at what is no UTF-8 where it should be. */
export class PieceDecoder {
  private readonly decoder: InstanceType<typeof TextDecoder> | undefined;

  /** @param encoding as `encodingOf` gives it */
  constructor(encoding: string) {
    const label = encoding === UTF8_MARKED ? 'utf-8' : encoding;
    const isUtf8 = label === 'utf-8';
    this.decoder = encoding === GUESS ? undefined : new TextDecoder(label, { fatal: isUtf8, ignoreBOM: true });
  }

  decode(bytes: Uint8Array, stream: boolean): string {
    return this.decoder
      ? this.decoder.decode(bytes, { stream })
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(GUESSED);
  }
}

/** For the editor's names of encodings (`utf8bom`, `windows1252`, `iso88591`); nothing for those that the platform does not know. */
export function editorDecoder(encoding: string): InstanceType<typeof TextDecoder> | undefined {
  const label = encoding
    .replace(/^utf8bom$/, 'utf8')
    .replace(/^utf16(le|be)$/, 'utf-16$1')
    .replace(/^windows(\d+)$/, 'windows-$1')
    .replace(/^iso8859(\d+)$/, 'iso-8859-$1')
    .replace(/^koi8/, 'koi8-');
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
