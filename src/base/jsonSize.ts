/** What every value counts beside its texts. */
const VALUE = 8;

/** How long the JSON of an object or array was, for those that were too long to be read at once. */
const lengths = new WeakMap<object, number>();

/** Spares everybody the look into what is known to be long; in characters, roughly. */
export function rememberLength(value: object, length: number): void {
  lengths.set(value, length);
}

/** Whether `parseInSlices` has read it in more than one piece; then it is no deeper than its bound. */
export function wasReadInSlices(value: object): boolean {
  return lengths.has(value);
}

/** Whether a JSON value is larger than `limit` characters, roughly; looks at no more of it than that takes. */
export function largerThan(value: unknown, limit: number): boolean {
  return roomLeft(value, limit) < 0;
}

/** What is left of `limit` characters beside a JSON value, roughly; below 0 where the value is larger. */
export function roomLeft(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) {
    return limit - VALUE - (typeof value === 'string' ? value.length : 0);
  }
  let left = limit;
  const open: object[] = [value];
  /** What is in an object or array; an object or array in it later. */
  const count = (member: unknown): void => {
    if (typeof member === 'string') {
      left -= VALUE + member.length;
    } else if (typeof member === 'object' && member !== null) {
      open.push(member);
    } else {
      left -= VALUE;
    }
  };
  for (let next = open.pop(); next !== undefined && left >= 0; next = open.pop()) {
    const known = lengths.get(next);
    left -= VALUE + (known ?? 0);
    if (known !== undefined) {
      continue;
    }
    if (Array.isArray(next)) {
      if (next.length * VALUE > left) {
        return -1;
      }
      for (const item of next as unknown[]) {
        count(item);
      }
    } else {
      for (const key in next) {
        left -= key.length;
        if (left < 0) {
          return left;
        }
        count((next as Record<string, unknown>)[key]);
      }
    }
  }
  return left;
}
