/**
 * The first `limit` UTF-16 units of a text, whole characters alone. A copy, as a part of a text keeps all of it in memory for
 * as long as the part is kept.
 */
export function shortCopy(text: string, limit: number): string {
  const end = isHigh(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return Buffer.from(text.length > limit ? text.slice(0, end) : text).toString();
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
