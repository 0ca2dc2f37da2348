import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isWorkTree, personalExcludes, repositoryExcludes, textIfAny } from './gitFiles';

/**
 * The ignore rules that hold in a directory (gitignore): its own, then those of the directories above it in the same work
 * tree, then the repository's and the person's. Paths are relative to the workspace folder, with `/`.
 */
export class IgnoreRules {
  private constructor(
    private readonly rules: Ignore,
    /** What of a path from the folder on stands before the rules' own directory, and what it lacks. */
    private readonly strip: number,
    private readonly prepend: string,
    private readonly outer: IgnoreRules | undefined,
  ) {}

  /** Those of a workspace folder, which may lie deep in a work tree. */
  static ofFolder(folder: string): IgnoreRules | undefined {
    const above: string[] = [];
    for (let current = folder; ; current = dirname(current)) {
      above.unshift(current);
      if (isWorkTree(current)) {
        break;
      }
      if (dirname(current) === current) {
        // No work tree: rules above the folder are nobody's.
        above.splice(0, above.length - 1);
        break;
      }
    }
    const [top = folder] = above;
    const prefix = (directory: string): string => {
      const path = relative(directory, folder).split(sep).join('/');
      return path === '' ? '' : `${path}/`;
    };
    let rules = worktreeRules(top, 0, prefix(top));
    for (const directory of above) {
      rules = IgnoreRules.add(rules, textIfAny(join(directory, '.gitignore')), 0, prefix(directory));
    }
    return rules;
  }

  /** Those of a directory below the folder, by its path from there on, given those of the one above. */
  static below(
    outer: IgnoreRules | undefined,
    directory: string,
    path: string,
    has: { readonly gitignore: boolean; readonly workTree: boolean },
  ): IgnoreRules | undefined {
    const strip = path.length + 1;
    const base = has.workTree ? worktreeRules(directory, strip, '') : outer;
    return has.gitignore ? IgnoreRules.add(base, textIfAny(join(directory, '.gitignore')), strip, '') : base;
  }

  static add(
    outer: IgnoreRules | undefined,
    text: string | undefined,
    strip: number,
    prepend: string,
  ): IgnoreRules | undefined {
    return text === undefined || text.trim() === ''
      ? outer
      : new IgnoreRules(ignore({ ignorecase: anyCase }).add(text), strip, prepend, outer);
  }

  /** Whether the rules leave out a file or directory that lies in a directory which they do not. */
  leavesOut(path: string, isDirectory: boolean): boolean {
    const own = `${this.prepend}${path.slice(this.strip)}${isDirectory ? '/' : ''}`;
    const { ignored, unignored } = this.rules.test(own);
    return ignored || (!unignored && (this.outer?.leavesOut(path, isDirectory) ?? false));
  }
}

/** As Git has it by default for the file systems of these. */
const anyCase = process.platform === 'win32' || process.platform === 'darwin';

function worktreeRules(directory: string, strip: number, prepend: string): IgnoreRules | undefined {
  const personal = IgnoreRules.add(undefined, personalExcludes(), strip, prepend);
  return IgnoreRules.add(personal, repositoryExcludes(directory), strip, prepend);
}
