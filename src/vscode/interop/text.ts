/** Characters that a label must not have: controls, bidirectional overrides, zero-width and other invisible ones. */
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f\ufeff]+/gu;

/** A server's text as one plain line of at most `max` characters: what was sent can neither break nor disguise a label. */
export function plainLine(text: string, max = 200): string {
  // Only the beginning is looked at: a name may be megabytes long.
  const line = [
    ...text
      .slice(0, max * 8)
      .replace(unseen, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  return line.length > max
    ? `${line
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : line.join('');
}

/** `plainLine` for prompts, picks, notifications and progress, where the editor draws links and icons from plain text. */
export function inertLine(text: string, max = 200): string {
  return inert(plainLine(text, max));
}

/** Breaks up what the editor would draw as a link, `[x](command:…)`, or as an icon, `$(x)`; it stays readable. */
export function inert(text: string): string {
  return text.replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** One word of a command line as people read it: quoted where it needs to be, and what would not be seen written out. */
export function shownWord(word: string): string {
  const visible = writtenOut(word);
  return /^[\w@%+=:,./\\${}~-]+$/.test(visible) ? visible : `"${visible.replaceAll('"', '\\"')}"`;
}

/** Writes characters out that would not be seen, or would turn the text's direction. */
export function writtenOut(text: string): string {
  return text.replace(unseen, (run) => Array.from(run, codeOf).join(''));
}

function codeOf(char: string): string {
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** `1 tool`, `14 tools`, `10,000 tools`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Large numbers as people read them: `9,007`. */
export function grouped(count: number): string {
  // Most are small, and the first number that is formatted costs milliseconds.
  return count < 1_000 ? String(count) : count.toLocaleString('en');
}
