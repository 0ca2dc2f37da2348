/** How many elements two lists or texts begin with in common, and how many of the rest they end in. */
export function commonEnds<T>(
  before: ArrayLike<T>,
  after: ArrayLike<T>,
): { readonly start: number; readonly end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) {
    start += 1;
  }
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end += 1;
  }
  return { start, end };
}
