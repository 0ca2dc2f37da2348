import type { TimeSlices } from '../../../base/timeSlices';

const RUN = 1_000;

/** A stable sort that never holds the event loop for long: short runs sorted at once, then merged in pairs. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  slices: TimeSlices,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    if (slices.over) {
      await slices.next();
    }
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, slices));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  slices: TimeSlices,
): Promise<readonly T[]> {
  const merged: T[] = [];
  const rest = right.values();
  let next = rest.next();
  for (const item of left) {
    while (!next.done && compare(next.value, item) < 0) {
      merged.push(next.value);
      next = rest.next();
    }
    merged.push(item);
    if (merged.length % RUN === 0 && slices.over) {
      await slices.next();
    }
  }
  for (; !next.done; next = rest.next()) {
    merged.push(next.value);
  }
  return merged;
}
