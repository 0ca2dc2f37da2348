/** A text with `\n` at the end of every line: which ends a file has is the editor's affair. */
export function plainLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
