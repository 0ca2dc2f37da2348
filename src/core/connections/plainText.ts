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
