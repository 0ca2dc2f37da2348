import picomatch from 'picomatch';

/** What the library makes of a glob that it cannot read. */
const NOTHING = '$^';

/** Extended globs are left out: nested ones take forever. */
const reading = { dot: true, noextglob: true, nonegate: true, windows: false } as const;

export interface GlobOptions {
  /** Whether letters match in both cases. */
  readonly anyCase?: boolean;
}

/**
 * One test for many globs (`*`, `**`, `?`, `[a-z]`, `{a,b}`) against paths that are relative and have `/` between their
 * segments; names that begin with a dot are as good as others. Globs that are not understood stand for themselves.
 */
export function compileGlobs(globs: readonly string[], options: GlobOptions = {}): (path: string) => boolean {
  if (globs.length === 0) {
    return () => false;
  }
  const sources = globs.map((glob) => sourceOf(glob));
  const expression = new RegExp(sources.join('|'), options.anyCase === true ? 'is' : 's');
  return (path) => expression.test(path);
}

/** Whether it can be understood as a glob. */
export function isGlob(glob: string): boolean {
  try {
    const made: unknown = picomatch.makeRe(glob, { ...reading, strictBrackets: true });
    return made instanceof RegExp && made.source !== NOTHING;
  } catch {
    // A bracket that nothing closes.
    return false;
  }
}

function sourceOf(glob: string): string {
  const made: unknown = picomatch.makeRe(glob, reading);
  return made instanceof RegExp && made.source !== NOTHING
    ? made.source
    : `^${glob.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}
