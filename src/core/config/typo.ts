const launchKeys = [
  'type',
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'headers',
  'disabled',
  'enabled',
  'timeout',
  'startTimeout',
  'start',
];

/** What people and other hosts write for a known key, where no spelling rule would find it. */
const otherWords = new Map([
  ['cmd', 'command'],
  ['arguments', 'args'],
  ['environment', 'env'],
  ['uri', 'url'],
  ['workingdirectory', 'cwd'],
]);

/** The key that was meant by an unknown one, where it looks like a slip: another case, or a letter or two off. */
export function meantKey(key: string): string | undefined {
  if (launchKeys.includes(key)) {
    return undefined;
  }
  const plain = key.toLowerCase().replace(/[-_ ]/g, '');
  const other = otherWords.get(plain);
  if (other !== undefined) {
    return other;
  }
  return launchKeys.find((known) => distance(plain, known.toLowerCase()) <= (known.length <= 5 ? 1 : 2));
}

/** Letters to change, add, drop or swap with their neighbour; anything above 2 counts as 3. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) {
    return 3;
  }
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const above = rows[i - 1] ?? [];
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 3;
}
