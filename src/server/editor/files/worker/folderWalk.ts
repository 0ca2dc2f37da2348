import { closeSync, type Dirent, lstatSync, openSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readNoLinkFlags } from '../../../../base/openFlags';
import { segmentsBelow } from '../fileNames';
import { compileGlobs } from '../globs';
import { isOpenAt, ownPathOf } from '../openPlace';
import type { SecretFiles } from '../secretFiles';
import { FileList } from './fileList';
import { IgnoreRules } from './ignoreRules';
import type { FolderSpec, WorkspaceSpec } from './workerTypes';

interface Level {
  readonly path: string;
  readonly entries: readonly Dirent[];
  next: number;
}

/**
 * The files of one workspace folder that agents are told of: no links to directories, nothing that Git, the person's
 * settings or the list of secrets leave out, and nothing that is a workspace folder of its own.
 */
export class FolderWalk {
  readonly list = new FileList();
  /** The rules of each directory that was walked, by its path. */
  private readonly directories = new Map<string, IgnoreRules | undefined>();
  private readonly excluded: (path: string) => boolean;
  private readonly others: ReadonlySet<string>;

  constructor(
    private readonly folder: FolderSpec,
    private readonly workspace: Pick<WorkspaceSpec, 'folders'>,
    private readonly secrets: SecretFiles,
  ) {
    this.excluded = compileGlobs(folder.excludes);
    this.others = new Set(
      workspace.folders.flatMap(({ path }) => segmentsBelow(folder.path, path, process.platform)?.join('/') ?? []),
    );
  }

  /** Walks the folder; each step is one directory. */
  *walk(): Generator<void> {
    const root = this.enter('', IgnoreRules.ofFolder(this.folder.path));
    yield* this.descend(root, (path) => this.list.push(path));
  }

  /** Looks anew at a path that was made, changed or removed; says whether the list is another one now. */
  *update(path: string): Generator<void, boolean> {
    const parents = path.split('/').slice(0, -1);
    while (parents.length > 0 && !this.directories.has(parents.join('/'))) {
      parents.pop();
    }
    const parent = parents.join('/');
    // What lies in a directory that is not known comes with the directory.
    const [name = ''] = path.slice(parent === '' ? 0 : parent.length + 1).split('/');
    const child = joined(parent, name);
    let changed = this.forget(child);
    const stats = this.statsIfAny(child);
    const rules = this.directories.get(parent);
    if (stats?.isDirectory() && this.takes(child, true, rules)) {
      const inserted: string[] = [];
      yield* this.descend(this.enter(child, rules), (each) => inserted.push(each));
      inserted.forEach((each) => this.list.insert(each));
      changed ||= inserted.length > 0;
    } else if (stats && this.takesFile(child, stats, rules)) {
      changed = !changed;
      this.list.insert(child);
    }
    return changed;
  }

  /** Of the directories below the folder, in order. */
  directoryPaths(): string[] {
    return [...this.directories.keys()].filter((path) => path !== '').sort((a, b) => (a < b ? -1 : 1));
  }

  private forget(path: string): boolean {
    if (this.directories.has(path)) {
      for (const each of this.directories.keys()) {
        if (each === path || each.startsWith(`${path}/`)) {
          this.directories.delete(each);
        }
      }
    }
    return this.list.remove(path);
  }

  private *descend(root: Level, found: (path: string) => void): Generator<void> {
    const levels = [root];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const entry = level.entries[level.next];
      level.next += 1;
      if (entry === undefined) {
        levels.pop();
        continue;
      }
      const path = joined(level.path, entry.name);
      const rules = this.directories.get(level.path);
      if (entry.isDirectory()) {
        if (this.takes(path, true, rules)) {
          levels.push(this.enter(path, rules));
          yield;
        }
      } else if (this.takesFile(path, entry, rules)) {
        found(path);
      }
    }
  }

  /** Reads a directory, in the order that makes the whole list one of code units. */
  private enter(path: string, outer: IgnoreRules | undefined): Level {
    const entries = this.entriesOf(path);
    const names = new Set(entries.map(({ name }) => name));
    const rules =
      path === ''
        ? outer
        : IgnoreRules.below(outer, this.absolute(path), path, {
            gitignore: names.has('.gitignore'),
            workTree: names.has('.git'),
          });
    this.directories.set(path, rules);
    const key = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
    return { path, entries: entries.sort((a, b) => (key(a) < key(b) ? -1 : 1)), next: 0 };
  }

  private entriesOf(path: string): Dirent[] {
    const directory = join(this.folder.realPath, path);
    let open: number | undefined;
    try {
      open = openSync(directory, readNoLinkFlags);
      // It may be a link by now, or lie below one.
      if (!isOpenAt(open, directory)) {
        return [];
      }
      const own = ownPathOf(open);
      const found = readdirSync(own ?? directory, { withFileTypes: true });
      return own !== undefined || isOpenAt(open, directory) ? found : [];
    } catch {
      // Removed meanwhile, or not to be seen.
      return [];
    } finally {
      if (open !== undefined) {
        closeSync(open);
      }
    }
  }

  private statsIfAny(path: string): Stats | undefined {
    try {
      return lstatSync(this.absolute(path), { throwIfNoEntry: false });
    } catch {
      // Not to be seen, or below a link in a circle.
      return undefined;
    }
  }

  private takes(path: string, isDirectory: boolean, rules: IgnoreRules | undefined): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (
      name !== '.git' &&
      // A name that is no UTF-8 cannot be asked for.
      !name.includes('\uFFFD') &&
      !this.excluded(path) &&
      !(isDirectory && this.others.has(path)) &&
      !this.secrets.holds(path) &&
      !rules?.leavesOut(path, isDirectory)
    );
  }

  private takesFile(
    path: string,
    entry: { isFile(): boolean; isSymbolicLink(): boolean },
    rules: IgnoreRules | undefined,
  ): boolean {
    return (
      (entry.isFile() || entry.isSymbolicLink()) &&
      this.takes(path, false, rules) &&
      (entry.isFile() || this.leadsToFile(path))
    );
  }

  /** Whether a link leads to a file of the workspace that is no secret. */
  private leadsToFile(path: string): boolean {
    try {
      const real = realpathSync.native(this.absolute(path));
      return (
        statSync(real).isFile() &&
        this.workspace.folders.some(({ realPath }) => {
          const segments = segmentsBelow(realPath, real, process.platform);
          return segments !== undefined && !this.secrets.has(segments);
        })
      );
    } catch {
      // It leads nowhere, or in a circle.
      return false;
    }
  }

  private absolute(path: string): string {
    return path === ''
      ? this.folder.path
      : `${this.folder.path}${sep}${sep === '/' ? path : path.replaceAll('/', sep)}`;
  }
}

function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}
