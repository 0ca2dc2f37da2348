/**
 * Whether a JSON value is made of more than `most` values: itself, and all in it but for what is in `besides`. Looks at no
 * more of them.
 */
export function hasMoreValues(value: unknown, most: number, besides?: object): boolean {
  return valuesLeft(value, most, besides) < 0;
}

function valuesLeft(value: unknown, most: number, besides: object | undefined): number {
  let left = most - 1;
  if (typeof value !== 'object' || value === null || value === besides) {
    return left;
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) {
      left = valuesLeft(value[at], left, besides);
    }
    return left;
  }
  for (const key in value) {
    left = valuesLeft((value as Record<string, unknown>)[key], left, besides);
    if (left < 0) {
      break;
    }
  }
  return left;
}
