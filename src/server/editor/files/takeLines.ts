/** Lines and columns begin at 1; `column` is where the first line begins to be told. */
export interface LinesWanted {
  readonly startLine: number;
  readonly column: number;
  /** The last line; all that follow where there is none. */
  readonly endLine?: number;
  readonly maxCharacters: number;
}

export interface LinesTaken {
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Where the rest begins. */
  readonly next?: { readonly line: number; readonly column: number };
}

/** Takes whole lines as far as there is room, and a part of a line that alone has more; nothing past the end of the text. */
export function takeLines(text: string, wanted: LinesWanted): LinesTaken | undefined {
  const lineStart = startOf(text, 0, wanted.startLine - 1);
  if (lineStart === undefined) {
    return undefined;
  }
  const start = Math.min(text.length, lineStart + wanted.column - 1);
  const count = wanted.endLine === undefined ? Infinity : wanted.endLine - wanted.startLine + 1;
  let end = start;
  for (let lines = 0; lines < count && end < text.length; lines += 1) {
    const feed = text.indexOf('\n', end);
    const lineEnd = feed < 0 ? text.length : feed + 1;
    if (lineEnd - start > wanted.maxCharacters) {
      const isPart = end === start;
      const cut = isPart ? wholeCharacter(text, start + wanted.maxCharacters) : end;
      const line = wanted.startLine + lines;
      return {
        text: text.slice(start, cut),
        startLine: wanted.startLine,
        endLine: isPart ? line : line - 1,
        next: { line, column: isPart ? wanted.column + cut - start : 1 },
      };
    }
    end = lineEnd;
  }
  const taken = text.slice(start, end);
  const feeds = taken.split('\n').length - 1;
  const last = wanted.startLine + feeds - (taken.endsWith('\n') && feeds > 0 ? 1 : 0);
  return { text: taken, startLine: wanted.startLine, endLine: last };
}

/** How many lines a text has, wherever agents are told of it: what a last line end closes is no line more, and at least one. */
export function countLines(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}

/** `1 line`, `2 lines`. */
export function lineCount(text: string): string {
  const count = countLines(text);
  return count === 1 ? '1 line' : `${count} lines`;
}

/** Where the text begins that follows so many line ends; the first line is there even where the text is empty. */
function startOf(text: string, from: number, feeds: number): number | undefined {
  let at = from;
  for (let line = 0; line < feeds; line += 1) {
    const feed = text.indexOf('\n', at);
    if (feed < 0 || feed + 1 === text.length) {
      return undefined;
    }
    at = feed + 1;
  }
  return at;
}

/** The place, or the one before it where it is within a surrogate pair. */
export function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 1 ? at - 1 : at;
}
