import { plainLine } from './text';

/** A server's text as one line of Markdown that means only its letters: no link, image, heading, HTML or icon comes of it. */
export function escapeMarkdown(text: string, max = 300): string {
  return plainLine(text, max).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** A link of ours that runs a command, where the Markdown may be trusted with it; the label means only its letters. */
export function commandLink(label: string, command: string, argument: unknown): string {
  // A bracket in the address would end it.
  const coded = encodeURIComponent(JSON.stringify([argument])).replace(/[()]/g, (char) =>
    char === '(' ? '%28' : '%29',
  );
  return `[${escapeMarkdown(label)}](command:${command}?${coded})`;
}

/** A name as a code span, whatever backticks it has. */
export function codeSpan(text: string, max = 120): string {
  return wholeSpan(plainLine(text, max) || ' ');
}

/** One line as a code span, nothing left out. */
export function wholeSpan(line: string): string {
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A text as a fenced block that nothing inside can close. */
export function fencedBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
