import { RE2JS } from 're2js';
import { longestWithin, patternShape } from './patternEffort';

/** What ajv needs of a regular expression. */
interface Matcher {
  test(text: string): boolean;
  /** The source: ajv tells expressions apart by it. */
  toString(): string;
}

/** What may be used: a way to match a text, and up to how many characters. */
interface Engine {
  readonly longest: number;
  readonly test: (text: string) => boolean;
}

const longestSource = 2_000;
/** Steps of one match by backtracking: a few milliseconds. */
const maxSteps = 1_000_000;
/** Characters of a text times steps of the program, where every character takes each step once: the same. */
const maxLinear = 500_000;
/** Instructions of one program. */
const maxProgram = 5_000;
/** What a check that runs now hears of, and how it may end a match before it begins; checks run to their end at once. */
let running = { hears: (_skipped: string): void => undefined, mayMatch: (): void => undefined };

/**
 * Runs a check and tells, in half a sentence each, which expressions were not applied to the texts that it met. What
 * `mayMatch` throws before a match ends the check.
 */
export function hearingSkips<T>(hears: (skipped: string) => void, mayMatch: () => void, check: () => T): T {
  const before = running;
  running = { hears, mayMatch };
  try {
    return check();
  } finally {
    running = before;
  }
}

/**
 * Compiles the `pattern` of a server's schema. Patterns come from servers: one that might take long by backtracking, for the
 * text at hand, is matched in linear time by RE2, which lacks backreferences and looking around. What neither can do in
 * time matches everything (the server checks for itself), and whoever listens is told.
 */
export function schemaRegExp(source: string): Matcher {
  const native = nativeEngine(source);
  let linear: Engine | undefined | null = null;
  const engineFor = (length: number): Engine | undefined => {
    if (native && length <= native.longest) {
      return native;
    }
    linear = linear === null ? linearEngine(source) : linear;
    return linear;
  };
  const test = (text: string): boolean => {
    running.mayMatch();
    const engine = engineFor(text.length);
    const longest = Math.max(engine?.longest ?? 0, native?.longest ?? 0);
    if (longest === 0) {
      running.hears(`the pattern ${shown(source)}, which cannot be run safely`);
    } else if (text.length > longest) {
      running.hears(`the pattern ${shown(source)} for a text of more than ${longest} characters`);
    }
    return !engine || text.length > engine.longest || engine.test(text);
  };
  return { test, toString: () => source };
}

/** Whether an expression can be applied to texts of usual length. */
export function checkable(source: string): boolean {
  return Math.max(nativeEngine(source)?.longest ?? 0, linearEngine(source)?.longest ?? 0) > 0;
}

/** With the `u` flag as JSON Schema wants it, else without, as many servers write them. */
function nativeEngine(source: string): Engine | undefined {
  if (source.length > longestSource) {
    return undefined;
  }
  for (const flags of ['u', '']) {
    try {
      const expression = new RegExp(source, flags);
      return { longest: longestWithin(patternShape(source), maxSteps), test: (text) => expression.test(text) };
    } catch {
      // Tried with the other flags next, or by RE2: many servers write the expressions of Go and Python.
    }
  }
  return undefined;
}

function linearEngine(source: string): Engine | undefined {
  if (source.length > longestSource || patternShape(source).size > maxProgram) {
    return undefined;
  }
  try {
    const program = RE2JS.compile(RE2JS.translateRegExp(source));
    return { longest: Math.floor(maxLinear / program.programSize()), test: (text) => program.test(text) };
  } catch {
    // A pattern that nobody can read is no reason to refuse a call.
    return undefined;
  }
}

function shown(source: string): string {
  const line = source.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}”`;
}
