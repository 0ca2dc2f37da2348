import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { readFlags } from '../../base/openFlags';
import type { ConfigFiles } from './configTypes';

/** In bytes; parsing a larger one would keep everything else waiting for seconds. */
const largest = 16 * 1_024 * 1_024;

/** Config files on this machine's file system. */
export const nodeConfigFiles: ConfigFiles = {
  async read(path, mayBePipe = false) {
    try {
      return await readBounded(path, mayBePipe);
    } catch (error) {
      if (isAbsence(error)) {
        return undefined;
      }
      throw error;
    }
  },

  watch(path, changed) {
    const store = new DisposableStore();
    store.add(new PathWatch(path, changed));
    const target = realPath(path);
    // A file that is a link (dotfiles are kept so) changes where it leads to.
    if (target !== undefined && target !== path) {
      store.add(new PathWatch(target, changed));
    }
    return store;
  },
};

/** Rejects for a pipe or device unless there may be one: a folder may hold one, and reading it might never end. */
async function readBounded(path: string, mayBePipe: boolean): Promise<string> {
  const file = await open(path, mayBePipe ? 'r' : readFlags);
  try {
    const found = await file.stat();
    if (!mayBePipe && !found.isFile() && !found.isDirectory()) {
      throw new Error('it is a pipe or device, not a file');
    }
    return await readWhole(file);
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largest) {
      throw new Error('it is larger than 16 MB');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet, or a link to nowhere: the watch on the path itself is all that can be had.
    return undefined;
  }
}

/**
 * Watches a file by its folder, so that it may be replaced, deleted and made again; where the folder is missing, by the
 * nearest one above, until it appears. A folder that cannot be watched is left alone: changes show at the next reload.
 */
class PathWatch implements Disposable {
  private watcher: FSWatcher | undefined;
  private disposed = false;

  constructor(
    private readonly path: string,
    private readonly changed: () => void,
  ) {
    this.arm();
  }

  dispose(): void {
    this.disposed = true;
    this.watcher?.close();
    this.watcher = undefined;
  }

  private arm(): void {
    this.watcher?.close();
    this.watcher = undefined;
    const folder = nearest(dirname(this.path));
    const [next = basename(this.path)] = relative(folder, this.path).split(sep);
    const own = folder === dirname(this.path);
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        const gone = event === 'rename' && name === basename(folder);
        if (name === null || name === next || gone) {
          this.hear(!own || gone);
        }
      });
      // Windows reports the end of a watched folder so. Any other error would only come again.
      watcher.on('error', () => this.hear(!existsSync(folder)));
      this.watcher = watcher;
    } catch (error) {
      if (!isAbsence(error)) {
        return;
      }
    }
    // It may have appeared, or gone, between the look and the watch.
    if (nearest(dirname(this.path)) !== folder) {
      this.arm();
    }
  }

  private hear(rearm: boolean): void {
    if (this.disposed) {
      return;
    }
    if (rearm) {
      this.arm();
    }
    this.changed();
  }
}

function nearest(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearest(join(parent));
}
