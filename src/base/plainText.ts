const ESC = '\u001b';
/** ECMA-48: strings (OSC, DCS and the like) up to their end, CSI sequences, and the short escapes. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${ESC}\u0007\u009c\\n]*(?:\u0007|\u009c|${ESC}\\\\)`,
    `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** What a server wrote, without what a terminal would act on: escape sequences, control and direction characters. */
export function plainText(text: string): string {
  return text.replace(SEQUENCES, '').replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** The same as a sentence of ours may repeat it: on one line, and cut. */
export function shortText(text: string, most = 200): string {
  // It may have millions of characters, and of those that are looked at some may go.
  const start = text.slice(0, most * 4);
  const line = plainText(start).replace(/\s+/g, ' ').trim();
  const isWhole = line.length <= most && start === text;
  return isWhole ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
