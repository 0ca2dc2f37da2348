/** The bytes of base64 of either alphabet, line breaks allowed; nothing where it is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  // What Node cannot read it leaves out.
  if (bytes.length === Math.floor((digits * 3) / 4)) {
    return bytes;
  }
  const dense = text.replace(/\s+/g, '');
  return dense.length < text.length ? fromBase64(dense) : undefined;
}
