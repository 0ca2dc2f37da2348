/** One file's part of a diff, as Git printed it. */
export interface DiffSection {
  readonly text: string;
  /** The paths below the root of the repository whose text it may hold; absent where it was not understood. */
  readonly names: readonly string[] | undefined;
}

/** Lines that begin the part of another file. In the text of files every line has a sign before it, so none is mistaken. */
const sectionStart = /^(?:diff |\* Unmerged path |Submodule )/;
/** What stands between the first line and the text, and names no file. */
const plainHeader =
  /^(?:old mode|new mode|deleted file mode|new file mode|similarity index|dissimilarity index|index) [0-9a-f.% ]+$/;
const hunkStart = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const movedLine = /^(?:rename|copy) (from|to) (.*)$/;
/** `a/`, `b/`, or what `diff.mnemonicPrefix` puts there. */
const side = /^[abciow]\//;

/** Parts the output of `git diff`. What was printed by other means, such as an external diff program, is not understood. */
export function diffSections(text: string): readonly DiffSection[] {
  const sections: string[][] = [];
  for (const line of text === '' ? [] : text.replace(/\n$/, '').split('\n')) {
    const section = sections.at(-1);
    if (section === undefined || sectionStart.test(line)) {
      sections.push([line]);
    } else {
      section.push(line);
    }
  }
  return sections.map((lines) => ({ text: `${lines.join('\n')}\n`, names: namesOf(lines) }));
}

/** Nothing where one line is not what the format has in its place: whatever it is, nobody knows whose text it is. */
function namesOf([first = '', ...lines]: readonly string[]): readonly string[] | undefined {
  const pair = pairOf(first, moved(lines, 'from'), moved(lines, 'to'));
  if (pair === undefined) {
    return undefined;
  }
  let isText = false;
  let before = 0;
  let after = 0;
  for (const line of lines) {
    const [sign = ' '] = line;
    const hunk = hunkStart.exec(line);
    if (before > 0 || after > 0) {
      before -= sign === ' ' || sign === '-' ? 1 : 0;
      after -= sign === ' ' || sign === '+' ? 1 : 0;
      if (!' +-\\'.includes(sign) || before < 0 || after < 0) {
        return undefined;
      }
    } else if (hunk !== null) {
      isText = true;
      before = Number(hunk[1] ?? 1);
      after = Number(hunk[2] ?? 1);
    } else if (isText ? !line.startsWith('\\ ') : !isHeader(line, pair)) {
      return undefined;
    }
  }
  return before === 0 && after === 0 ? pair.names : undefined;
}

/** The two names of a part: as they are written, with the prefixes that settings of Git change, and without. */
interface Pair {
  readonly left: string;
  readonly right: string;
  readonly names: readonly [string, string];
}

/** Without quotes the first line does not tell where one name ends: they are equal, or said in lines of their own. */
function pairOf(first: string, from: string | undefined, to: string | undefined): Pair | undefined {
  const isRenamed = from !== undefined || to !== undefined;
  return pairsOf(/^diff --git (.*)$/.exec(first)?.[1] ?? '').find(({ names: [left, right] }) =>
    isRenamed ? left === from && right === to : left === right,
  );
}

function pairsOf(both: string): readonly Pair[] {
  return [...both.matchAll(/ /g)].flatMap(({ index }): Pair[] => {
    const [left, right] = [unquoted(both.slice(0, index)), unquoted(both.slice(index + 1))];
    if (left === undefined || right === undefined) {
      return [];
    }
    const bare: Pair = { left, right, names: [left, right] };
    // Two prefixes differ, so that names that are equal to the letter have none, whatever they begin with.
    return left !== right && side.test(left) && side.test(right)
      ? [{ ...bare, names: [left.replace(side, ''), right.replace(side, '')] }, bare]
      : [bare];
  });
}

/** The name that a file had before it was renamed or copied, or that it has now. */
function moved(lines: readonly string[], end: 'from' | 'to'): string | undefined {
  const line = lines.find((each) => movedLine.exec(each)?.[1] === end);
  return line && unquoted(line.replace(movedLine, '$2'));
}

function isHeader(line: string, { left, right }: Pair): boolean {
  const [, mark, name] = /^(---|\+\+\+) (.*?)\t?$/.exec(line) ?? [];
  if (name !== undefined) {
    return [mark === '---' ? left : right, '/dev/null'].includes(unquoted(name) ?? '');
  }
  return plainHeader.test(line) || movedLine.test(line) || /^Binary files .* differ$/.test(line);
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name without the quotes and escapes that Git puts around unusual ones; nothing where it is no text. */
function unquoted(name: string): string | undefined {
  if (!name.startsWith('"')) {
    return name;
  }
  const inner = /^"((?:[^"\\]|\\(?:[0-7]{3}|.))*)"$/.exec(name)?.[1];
  if (inner === undefined) {
    return undefined;
  }
  const pieces = [...inner.matchAll(/\\([0-7]{3}|.)|[^\\]+/g)].map(([piece, escape]) =>
    escape === undefined
      ? Buffer.from(piece)
      : Buffer.from([/^[0-7]{3}$/.test(escape) ? parseInt(escape, 8) : (escapes[escape] ?? escape.charCodeAt(0))]),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    // Bytes that are no UTF-8: the editor knows no such name either.
    return undefined;
  }
}
