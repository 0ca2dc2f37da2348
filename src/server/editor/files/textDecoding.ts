/** What bytes are: a text with the name of its encoding and without its byte order mark, or no text. */
export type Decoded =
  { readonly kind: 'text'; readonly text: string; readonly encoding: string } | { readonly kind: 'binary' };

/** How far a NUL is looked for, which no text has; as Git and the editor do it. */
const SNIFFED_BYTES = 8_192;
/** Of bytes that are no UTF-8: every byte is a sign of its own in it, so that nothing is lost. */
const GUESSED = 'latin1';

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
  if (mark && mark.encoding !== 'utf-8') {
    return { kind: 'text', text: new TextDecoder(mark.encoding).decode(text), encoding: mark.encoding };
  }
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
    return { kind: 'text', text: decoded, encoding: mark ? 'utf-8 with BOM' : 'utf-8' };
  } catch {
    // No UTF-8, and nothing tells what it is.
    return { kind: 'text', text: Buffer.from(text).toString(GUESSED), encoding: `${GUESSED} (guessed)` };
  }
}
