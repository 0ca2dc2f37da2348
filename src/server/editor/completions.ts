import type { CompletionValues } from './offerTypes';

const maxValues = 100;

/** Those that have all letters of what was typed, in order: the earliest and closest first. */
export function fuzzyComplete(typed: string, candidates: readonly string[]): CompletionValues {
  const ranked = candidates
    .flatMap((value) => {
      const rank = rankOf(typed.toLowerCase(), value.toLowerCase());
      return rank === undefined ? [] : [{ value, rank }];
    })
    .sort((a, b) => a.rank - b.rank || a.value.length - b.value.length || (a.value < b.value ? -1 : 1));
  return {
    values: ranked.slice(0, maxValues).map(({ value }) => value),
    total: ranked.length,
    hasMore: ranked.length > maxValues,
  };
}

/** Lower is better; nothing where a letter is missing. */
function rankOf(typed: string, value: string): number | undefined {
  const whole = value.indexOf(typed);
  if (whole >= 0) {
    return whole;
  }
  let at = -1;
  let gaps = 0;
  for (const letter of typed) {
    const next = value.indexOf(letter, at + 1);
    if (next < 0) {
      return undefined;
    }
    gaps += next - at - 1;
    at = next;
  }
  return 1_000 + gaps;
}
