/** How long an expression can take where every way is tried, as backtracking engines do. */
export interface PatternShape {
  /** Repetitions without an end, each of which may take a text up to anywhere. */
  readonly repetitions: number;
  /** Ways through alternatives and through repetitions that end. */
  readonly ways: number;
  /** Whether a group that can match in several ways is repeated: the ways then multiply with each character. */
  readonly nested: boolean;
  /** Parts, once counted repetitions are written out. */
  readonly size: number;
}

interface Group {
  size: number;
  varies: boolean;
  alternatives: number;
}

/** An escape, a class, the begin of a group, or a quantifier: each says no more than it does as a whole. */
const token =
  /\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|P?<\w+>))?|\{(\d+)(,?)(\d*)\}\??|[*+?]\??|[^]/gs;

/** Reads an expression roughly; one that no engine takes gets some shape, too. */
export function patternShape(source: string): PatternShape {
  let repetitions = 0;
  let ways = 1;
  let nested = false;
  const open: Group[] = [];
  let group: Group = { size: 1, varies: false, alternatives: 1 };
  let part = { size: 0, varies: false };

  const repeat = (least: number, most: number): void => {
    nested ||= most > 1 && part.varies;
    if (most === Infinity) {
      repetitions += 1;
    } else {
      ways *= most - least + 1;
    }
    group.varies ||= least !== most;
    group.size += part.size * Math.max(0, (most === Infinity ? least : most) - 1);
  };
  const close = (): void => {
    ways *= group.alternatives;
    part = { size: group.size, varies: group.varies || group.alternatives > 1 };
  };

  for (const [text, least, comma, most] of source.matchAll(token)) {
    const isOpened = text.startsWith('(');
    if (isOpened) {
      open.push(group);
      group = { size: 1, varies: false, alternatives: 1 };
    } else if (text === ')') {
      close();
      group = open.pop() ?? { size: 1, varies: false, alternatives: 1 };
      group.size += part.size;
      group.varies ||= part.varies;
    } else if (text === '|') {
      group.alternatives += 1;
    } else if (least !== undefined) {
      repeat(Number(least), most === '' ? (comma === '' ? Number(least) : Infinity) : Number(most));
    } else if (/^[*+?]/.test(text)) {
      repeat(text.startsWith('+') ? 1 : 0, text.startsWith('?') ? 1 : Infinity);
    } else {
      part = { size: 1, varies: false };
      group.size += 1;
      // What a group has matched is compared character by character.
      repetitions += /^\\[1-9k]/.test(text) ? 1 : 0;
    }
  }
  close();
  // Without a beginning it is tried at every place.
  repetitions += source.startsWith('^') && group.alternatives === 1 ? 0 : 1;
  return { repetitions, ways, nested, size: part.size };
}

/** The longest text, in characters, for which backtracking stays within so many steps. */
export function longestWithin({ repetitions, ways, nested, size }: PatternShape, steps: number): number {
  if (nested || ways * size > steps) {
    return 0;
  }
  return repetitions === 0 ? Infinity : Math.floor((steps / ways / size) ** (1 / repetitions));
}
