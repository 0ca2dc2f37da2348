import { PorticoError } from '../../../../base/errors';
import type { SearchMatch, SearchPattern } from '../searchTypes';
import { wholeCharacter } from '../takeLines';

/** How much of a line is told, in UTF-16 units, and how much of that comes before the match. */
const SHOWN = 240;
const SHOWN_BEFORE = 80;

/** The pattern as one that goes over whole texts. Throws ARGUMENTS_INVALID for a regular expression that is none. */
export function compilePattern({ text, isRegExp, matchCase, wholeWord }: SearchPattern): RegExp {
  const source = isRegExp ? text : text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const flags = matchCase ? 'gm' : 'gim';
  try {
    return new RegExp(wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source, `${flags}u`);
  } catch {
    // Agents write escapes that only the older syntax knows, such as `\-` or `\"`.
    return compileOlder(wholeWord ? `(?<!\\w)(?:${source})(?!\\w)` : source, flags);
  }
}

function compileOlder(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    // Before the reason stands the whole pattern, with what was put around it.
    const reason = said.slice(said.lastIndexOf(': ') + 1).trim();
    throw new PorticoError('ARGUMENTS_INVALID', `The query is no regular expression: ${reason}.`);
  }
}

/** The matches in a text, one after another; its lines end with `\n` alone. Throws ARGUMENTS_INVALID for a pattern that goes too deep in it. */
export function* matchText(text: string, pattern: RegExp, contextLines: number): Generator<SearchMatch> {
  let line = 1;
  let lineStart = 0;
  pattern.lastIndex = 0;
  for (let match = nextMatch(pattern, text); match; match = nextMatch(pattern, text)) {
    const start = match.index;
    const end = start + match[0].length;
    for (let next = text.indexOf('\n', lineStart); next >= 0 && next < start; next = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = next + 1;
    }
    const lines = match[0].split('\n');
    const lineEnd = endOfLine(text, lineStart);
    const isOneLine = lines.length === 1;
    yield {
      line,
      column: start - lineStart + 1,
      endLine: line + lines.length - 1,
      endColumn: isOneLine ? end - lineStart + 1 : (lines.at(-1)?.length ?? 0) + 1,
      ...excerpt(text.slice(lineStart, lineEnd), start - lineStart),
      ...(contextLines > 0 ? contextOf(text, lineStart, endOfLine(text, end), contextLines) : {}),
    };
    if (end === start) {
      // By whole characters: within a surrogate pair there is nothing to match.
      pattern.lastIndex += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    }
  }
}

/** Of what can fail here, all is the pattern's doing: it is compiled as late as this, and goes into itself for every repetition. */
function nextMatch(pattern: RegExp, text: string): RegExpExecArray | null {
  try {
    return pattern.exec(text);
  } catch {
    const message =
      'The regular expression goes too deep in one of the files. Make it simpler, or search for plain text.';
    throw new PorticoError('ARGUMENTS_INVALID', message);
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function excerpt(line: string, at: number): Pick<SearchMatch, 'text' | 'textColumn'> {
  if (line.length <= SHOWN) {
    return { text: line };
  }
  const start = wholeCharacter(line, Math.max(0, Math.min(at - SHOWN_BEFORE, line.length - SHOWN)));
  return { text: line.slice(start, wholeCharacter(line, start + SHOWN)), textColumn: start + 1 };
}

function contextOf(
  text: string,
  lineStart: number,
  lineEnd: number,
  count: number,
): Pick<SearchMatch, 'before' | 'after'> {
  const before: string[] = [];
  for (let end = lineStart - 1; end >= 0 && before.length < count;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    before.unshift(shown(text.slice(end === 0 ? 0 : start, end)));
    end = end === 0 ? -1 : start - 1;
  }
  const after: string[] = [];
  for (let start = lineEnd + 1; start <= text.length && after.length < count;) {
    const end = endOfLine(text, start);
    after.push(shown(text.slice(start, end)));
    start = end + 1;
  }
  return { before, after };
}

function shown(line: string): string {
  return line.slice(0, wholeCharacter(line, SHOWN));
}
