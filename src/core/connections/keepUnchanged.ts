import { TimeSlices } from '../../base/timeSlices';
import type { ServerList } from './connectionTypes';
import type { Fields } from './readEntries';

/**
 * The new list with what it says again in the objects of before, so that whoever derived something of them need not do it
 * anew; the list of before where nothing is new. `keyOf` pairs the items.
 */
export async function keepUnchanged<T>(
  before: ServerList<T>,
  next: ServerList<T>,
  keyOf: (item: T) => string,
  slices = new TimeSlices(),
): Promise<ServerList<T>> {
  const items = await kept(before.items, next.items, keyOf, slices);
  const setAside = await kept(before.setAside, next.setAside, ({ name }) => name, slices);
  const isSame = items === before.items && setAside === before.setAside && before.from === next.from;
  return isSame && isSameJson(before.problem, next.problem) ? before : { ...next, items, setAside };
}

async function kept<T>(
  before: readonly T[],
  next: readonly T[],
  keyOf: (item: T) => string,
  slices: TimeSlices,
): Promise<readonly T[]> {
  let byKey: ReadonlyMap<string, T> | undefined;
  const pairOf = (item: T, index: number): T | undefined => {
    const key = keyOf(item);
    const beside = before[index];
    if (beside !== undefined && keyOf(beside) === key) {
      return beside;
    }
    byKey ??= new Map(before.map((one) => [keyOf(one), one]));
    return byKey.get(key);
  };
  const items: T[] = [];
  let index = -1;
  for (const item of next) {
    index += 1;
    const old = pairOf(item, index);
    items.push(old !== undefined && isSameJson(old, item) ? old : item);
    if (slices.over) {
      await slices.next();
    }
  }
  return items.length === before.length && items.every((item, index) => item === before[index]) ? before : items;
}

/** Whether two values out of JSON say the same; the order of members does not count. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isSameJson(item, b[index]))
    );
  }
  let members = 0;
  // Thousands of tools are compared, so nothing is copied, and whether a member is inherited is asked only where its value
  // may be: every other inherited one is a function, and no value of JSON is the same as that.
  for (const name in a) {
    const other = (b as Fields)[name];
    const mayBeInherited = other === undefined || name === '__proto__';
    if ((mayBeInherited && !Object.hasOwn(b, name)) || !isSameJson((a as Fields)[name], other)) {
      return false;
    }
    members += 1;
  }
  for (const _name in b) {
    members -= 1;
  }
  return members === 0;
}
