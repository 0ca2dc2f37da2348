const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `3 B`, `12 KB`, `9 MB`: a number of bytes in whole units of 1,024. */
export function sizeText(bytes: number): string {
  let value = Math.round(bytes);
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value = Math.round(bytes / 1_024 ** (unit + 1));
    unit += 1;
  }
  return `${value} ${units[unit] ?? ''}`;
}
