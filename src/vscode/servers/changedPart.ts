/** The one part of `before` that must be replaced, by offsets in UTF-16 units, to get `after`; nothing where they are equal. */
export function changedPart(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } | undefined {
  if (before === after) {
    return undefined;
  }
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start += 1;
  }
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail += 1;
  }
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
