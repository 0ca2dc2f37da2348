import { isObject } from './jsonObject';

/** JSON with sorted keys, so that order and formatting do not count. `visit` sees every value in it, keys too, and may throw. */
export function canonicalJson(value: unknown, visit: (value: unknown) => void = () => undefined): string {
  visit(value);
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item, visit)).join(',')}]`;
  }
  if (isObject(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${canonicalJson(key, visit)}:${canonicalJson(value[key], visit)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
