import { visibleJson } from '../../base/visibleJson';
import { wholeSpan } from '../interop/markdown';

/**
 * The whole arguments as Markdown that wraps in the narrowest chat (a code block would scroll, with its end out of
 * sight): one argument a line, its value as JSON with every character to be seen.
 */
export function argumentList(args: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(args);
  return entries.length === 0
    ? 'It has no arguments.'
    : entries.map(([name, value]) => `- ${wholeSpan(line(name))}: ${wholeSpan(line(value))}`).join('\n');
}

/** JSON on one line. Where spaces follow each other the page would show one, so the others are written out. */
function line(value: unknown): string {
  return visibleJson(value)
    .replace(/\n */g, ' ')
    .replace(/(?<= ) /g, '\\u0020');
}
