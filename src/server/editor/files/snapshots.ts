import { createHash, randomBytes } from 'node:crypto';
import { PorticoError } from '../../../base/errors';
import type { WorkspaceFolderInfo } from '../editorTypes';
import { readCursor, writeCursor } from './cursors';
import type { ListedFiles } from './worker/workerTypes';

/** The files of the workspace at one moment; lists are paged by one, so that no page lacks or repeats a file. */
export interface Snapshot {
  readonly id: string;
  readonly folders: readonly WorkspaceFolderInfo[];
  readonly files: ListedFiles;
}

/** How many are kept for those who are still paging. */
const KEPT = 4;

/** The snapshots that cursors are good for. */
export class Snapshots {
  private readonly kept = new Map<string, Snapshot>();

  add(folders: readonly WorkspaceFolderInfo[], files: ListedFiles): Snapshot {
    const snapshot = { id: randomBytes(9).toString('base64url'), folders, files };
    this.keep(snapshot);
    return snapshot;
  }

  /** Afterwards no cursor is good any more. */
  clear(): void {
    this.kept.clear();
  }

  /** A cursor for a list: `list` says which one, with what it was asked for. */
  cursor(snapshot: Snapshot, list: unknown, place: readonly number[]): string {
    return writeCursor([snapshot.id, digest(list), ...place]);
  }

  /** Rejects cursors of another list, and those whose snapshot is gone. */
  open(cursor: string, list: unknown): { readonly snapshot: Snapshot; readonly place: readonly number[] } {
    const [id, of, ...place] = readCursor(cursor);
    const snapshot = typeof id === 'string' ? this.kept.get(id) : undefined;
    const numbers = place.filter((each): each is number => Number.isSafeInteger(each) && Number(each) >= 0);
    if (!snapshot || of !== digest(list) || numbers.length !== place.length) {
      throw new PorticoError('ARGUMENTS_INVALID', 'The cursor is not good, or no longer. Ask again without a cursor.');
    }
    this.keep(snapshot);
    return { snapshot, place: numbers };
  }

  /** As the one used last. */
  private keep(snapshot: Snapshot): void {
    this.kept.delete(snapshot.id);
    this.kept.set(snapshot.id, snapshot);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) {
      this.kept.delete(oldest);
    }
  }
}

function digest(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}
