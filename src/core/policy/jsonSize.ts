/** Whether a JSON value is larger than `limit` characters, roughly; looks at no more of it than that takes. */
export function largerThan(value: unknown, limit: number): boolean {
  let left = limit;
  const open: unknown[] = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    left -= 8;
    if (typeof next === 'string') {
      left -= next.length;
    } else if (typeof next === 'object' && next !== null) {
      for (const key in next) {
        left -= key.length;
        if (left < 0) {
          return true;
        }
        open.push((next as Record<string, unknown>)[key]);
      }
    }
  }
  return left < 0;
}
