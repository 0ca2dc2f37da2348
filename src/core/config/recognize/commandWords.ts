/** A command line taken apart as a shell would, without doing anything else that a shell does. */
export type CommandWords =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'open'; readonly quote: string }
  /** Something that only a shell understands stands in it. */
  | { readonly kind: 'shell'; readonly operator: string };

/** In what stands outside quotes: separators and pipes anywhere, the rest where no placeholder (`<key>`) or address holds it. */
const operators = /&&|\|\|?|;$|^;|&$|^\d?>>?(?:&\d)?|^<(?![A-Za-z_])/;

/**
 * Splits by the rules of POSIX shells where they do not spoil Windows paths: a backslash only escapes a quote, a space,
 * a dollar sign, itself, or the end of a line.
 */
export function splitCommand(text: string): CommandWords {
  const words: string[] = [];
  let word: string | undefined;
  /** What of the word stands outside quotes. */
  let bare = '';
  let quote = '';
  const end = (): string | undefined => {
    const operator = operators.exec(bare)?.[0];
    if (word !== undefined) {
      words.push(word);
    }
    word = undefined;
    bare = '';
    return operator;
  };
  const source = joinLines(text);
  for (let index = 0; index < source.length; index += 1) {
    const letter = source.charAt(index);
    const next = source.charAt(index + 1);
    if (letter === '\\' && escapes(next, quote, word)) {
      word = (word ?? '') + next;
      index += 1;
    } else if (quote !== "'" && (letter === '`' || (letter === '$' && next === '('))) {
      return { kind: 'shell', operator: letter === '`' ? 'A back quote' : '$(…)' };
    } else if (quote !== '') {
      if (letter === quote) {
        quote = '';
      } else {
        word = (word ?? '') + letter;
      }
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
      bare += '\0';
    } else if (/\s/.test(letter)) {
      const operator = end();
      if (operator !== undefined) {
        return { kind: 'shell', operator };
      }
    } else {
      word = (word ?? '') + letter;
      bare += letter;
    }
  }
  if (quote !== '') {
    return { kind: 'open', quote };
  }
  const operator = end();
  return operator === undefined ? { kind: 'words', words } : { kind: 'shell', operator };
}

/** Words as one line, those with spaces or quotes in double quotes. */
export function joinCommand(words: readonly string[]): string {
  return words.map((word) => (word === '' || /[\s"']/.test(word) ? JSON.stringify(word) : word)).join(' ');
}

/** Lines continued by a backslash, a caret (cmd) or a back quote (PowerShell) are one line; so are typographic quotes. */
function joinLines(text: string): string {
  return text
    .replace(/[\\^`][^\S\n]*\r?\n/g, ' ')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/(^|\s)[—–](?=\w)/g, '$1--');
}

function escapes(next: string, quote: string, word: string | undefined): boolean {
  switch (quote) {
    case "'":
      return false;
    case '"':
      return next === '"' || next === '\\' || next === '$';
    default:
      // Two backslashes at the start of a word are a Windows share.
      return '"\'$ '.includes(next) ? next !== '' : next === '\\' && word !== undefined;
  }
}
