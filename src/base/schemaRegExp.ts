/** What ajv needs of a regular expression. */
interface Matcher {
  test(text: string): boolean;
  /** The source: ajv tells expressions apart by it. */
  toString(): string;
}

/** A repeated group with a repetition or a choice inside: the form that can take exponential time. */
const explosive = /\((?:[^()\\]|\\.)*[*+?}|](?:[^()\\]|\\.)*\)\s*[*+{]|\)\)+[*+{]/;

/** Hears what a check that runs now leaves out; checks run to their end at once. */
let hears: (skipped: string) => void = () => undefined;

/** Runs a check and tells, in half a sentence each, which expressions were not applied to the texts that it met. */
export function hearingSkips<T>(onSkipped: (skipped: string) => void, check: () => T): T {
  const before = hears;
  hears = onSkipped;
  try {
    return check();
  } finally {
    hears = before;
  }
}

/**
 * Compiles the `pattern` of a server's schema. Patterns come from servers, so one that does not compile or that may run away
 * matches everything (the server checks for itself), and one with several open repetitions sees only short texts; whoever
 * listens is told.
 */
export function schemaRegExp(source: string): Matcher {
  const toString = () => source;
  const expression = checkable(source);
  if (!expression) {
    const test = (): boolean => {
      hears(`the pattern ${shown(source)}, which cannot be run safely`);
      return true;
    };
    return { test, toString };
  }
  const repetitions = source.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const longest = repetitions <= 1 ? 20_000 : repetitions === 2 ? 4_000 : 300;
  const test = (text: string): boolean => {
    if (text.length <= longest) {
      return expression.test(text);
    }
    hears(`the pattern ${shown(source)} for a text of more than ${longest} characters`);
    return true;
  };
  return { test, toString };
}

/** The expression with the `u` flag as JSON Schema wants it, else without, as many servers write them; nothing where it is not safe to run. */
export function checkable(source: string): RegExp | undefined {
  if (source.length > 2_000 || explosive.test(source)) {
    return undefined;
  }
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Tried with the other flags next; a pattern that nobody can read is no reason to refuse a call.
    }
  }
  return undefined;
}

function shown(source: string): string {
  const line = source.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}”`;
}
