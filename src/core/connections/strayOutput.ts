import { isObject } from '../../base/jsonObject';
import { plainText } from '../../base/plainText';

const LONGEST_QUOTE = 200;
/** What is looked at of a long text. */
const LOOKED_AT = 4_000;
const LONGEST_PARSED = 1_000_000;

/** What is wrong with text that should have been a message, and who can mend it. */
const HABITS: readonly (readonly [(text: string) => boolean, string])[] = [
  [isWide, 'It writes UTF-16 instead of UTF-8. Its author must set the encoding of its output.'],
  [
    (text) => /^Content-Length:/i.test(text),
    'It puts headers before its messages, as language servers do. Check its command; if that is right, its author must write one message a line.',
  ],
  [
    (text) => /^"jsonrpc"\s*:/.test(text),
    'It spreads a message over several lines. Its author must write each on one line.',
  ],
  [
    isUnmarked,
    'It leaves out "jsonrpc": "2.0". Check its command; if that is right, its author must write it in every message.',
  ],
  [(text) => text.includes('"jsonrpc"'), 'It wrote a message that is not valid JSON. Only its author can correct it.'],
];
const UNENDED = 'It does not end its message with a newline. Its author must write one after each.';

/** About half of its bytes are zero. */
function isWide(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  return start.split('\0').length - 1 > start.length / 3;
}

/** A message but for its mark. */
function isUnmarked(text: string): boolean {
  if (!text.startsWith('{') || text.length > LONGEST_PARSED || !/"(?:id|jsonrpc)"\s*:/.test(text)) {
    return false;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && ('result' in value || 'error' in value || ('method' in value && 'jsonrpc' in value));
  } catch {
    // No JSON: not of this kind.
    return false;
  }
}

function said(words: string, text: string): string {
  return `${words} It wrote: ${shownOf(text)}`;
}

function shownOf(text: string): string {
  const shown = plainText(text.slice(0, LOOKED_AT)).trim();
  return shown.length > LONGEST_QUOTE ? `${shown.slice(0, LONGEST_QUOTE)}…` : shown;
}

/** What a server has written to stdout that is no message, as far as it may explain that no answer came. */
export class StrayOutput {
  /** The last of it, bounded and without control characters. */
  last: string | undefined;
  private known: string | undefined;

  /** Takes text that is no message, and gives as much of it as is shown. */
  add(text: string): string {
    this.last = shownOf(text);
    const habit = HABITS.find(([isIt]) => isIt(text));
    this.known = habit ? said(habit[1], text) : this.known;
    return this.last;
  }

  /** Takes a reply that may be for any request, or for none. */
  addReply(quote: string): void {
    this.last = quote;
    this.known = `It answered without saying which request it answers. It wrote: ${quote}`;
  }

  /** Sentences on what is known to be wrong with it; `unfinished` is what came after the last line. */
  reason(unfinished: string): string | undefined {
    return unfinished.startsWith('{') && unfinished.includes('"jsonrpc"') && this.known === undefined
      ? said(UNENDED, unfinished)
      : this.known;
  }
}
