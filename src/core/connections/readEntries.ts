import type { Problem } from '../../base/errors';
import { isObject } from '../../base/jsonObject';
import { TimeSlices } from '../../base/timeSlices';
import type { SetAside } from './connectionTypes';
import { shortText } from '../../base/plainText';

/** One entry of a list after reading: usable under its key, or not, with the reason. */
export type ReadEntry<T> =
  { readonly key: string; readonly item: T } | { readonly name: string; readonly problem: Problem };

export type Fields = Readonly<Record<string, unknown>>;

export function unusable(name: unknown, message: string): { readonly name: string; readonly problem: Problem } {
  return {
    name: typeof name === 'string' && name !== '' ? shortText(name) : '(no name)',
    problem: { code: 'ENTRY_INVALID', message },
  };
}

type FieldType = 'string' | 'object' | 'array';

function hasType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
  }
}

/** Leaves out optional fields of the wrong type, so that readers can rely on the types; everything else is kept. */
export function withoutMistyped(entry: Fields, types: Readonly<Record<string, FieldType>>): Fields {
  let result: Record<string, unknown> | undefined;
  for (const name in types) {
    const value = entry[name];
    const type = types[name];
    if (value !== undefined && type !== undefined && !hasType(value, type)) {
      result ??= { ...entry };
      delete result[name];
    }
  }
  return result ?? entry;
}

/** Reads every entry by itself: one that cannot be used is set aside, one that comes twice counts once. In slices: a list may be long. */
export async function readEntries<T>(
  raw: readonly unknown[],
  read: (entry: Fields) => ReadEntry<T>,
): Promise<{ readonly items: readonly T[]; readonly setAside: readonly SetAside[] }> {
  const slices = new TimeSlices();
  const items: T[] = [];
  const setAside: SetAside[] = [];
  const keys = new Set<string>();
  for (const [index, entry] of raw.entries()) {
    // To look at the clock takes longer than to read an entry.
    if (index % 20 === 19 && slices.over) {
      await slices.next();
    }
    const result = isObject(entry) ? read(entry) : unusable(undefined, 'The entry is not an object.');
    if ('problem' in result) {
      setAside.push({ ...result, raw: entry });
    } else if (!keys.has(result.key)) {
      keys.add(result.key);
      items.push(result.item);
    }
  }
  return { items, setAside };
}
