import type { CompletionValues } from '../offerTypes';
import type { FileSearch } from '../workspaceFiles';
import type { IndexedFile } from './fileIndex';
import type { FileParts } from './fileParts';
import { pathsOf, segmentsBelow } from './fileNames';
import type { SearchScope } from './searchTypes';
import type { Snapshot } from './snapshots';

/** How many values a completion has at most (spec: server/utilities/completion). */
export const MOST_VALUES = 100;

/** What the other rooms of the editor server ask of the index. */
export class IndexedFileSearch implements FileSearch {
  constructor(private readonly parts: Pick<FileParts, 'index' | 'gate' | 'threads'>) {}

  async list(
    below: string | undefined,
    limit: number,
  ): Promise<{ readonly paths: readonly string[]; readonly total: number }> {
    const { index, threads, gate } = this.parts;
    const snapshot = await index.snapshot();
    const all = { files: snapshot.files, include: [], from: 0, maxCharacters: Number.MAX_SAFE_INTEGER };
    // On behalf of the editor server, and of no client alone.
    const asker = { client: { id: '' }, signal: new AbortController().signal };
    const paths: string[] = [];
    let total = 0;
    for (const scope of below === undefined ? [undefined] : this.scopesOf(below, snapshot)) {
      const wanted = { ...all, limit: limit - paths.length, ...(scope ? { scope } : {}) };
      const result = await threads.filter(wanted, asker);
      for (const { folder, path } of result.found) {
        paths.push(pathsOf(gate.platform).join(snapshot.folders[folder]?.path ?? '', path));
      }
      total += result.total;
    }
    return { paths, total };
  }

  async complete(value: string, what: 'file' | 'directory'): Promise<CompletionValues> {
    const { found, total } = await this.parts.index.fuzzy(value, { kind: what, limit: MOST_VALUES });
    return { values: found.map((file) => this.labelOf(file)), total, hasMore: total > found.length };
  }

  /** Folders that lie in the directory, and the part of the folder in which it lies. */
  private scopesOf(below: string, { folders }: Snapshot): readonly SearchScope[] {
    const { platform } = this.parts.gate;
    return folders.flatMap(({ path }, folder) => {
      if (segmentsBelow(below, path, platform) !== undefined) {
        return [{ folder, prefix: '' }];
      }
      const segments = segmentsBelow(path, below, platform);
      return segments === undefined ? [] : [{ folder, prefix: segments.map((segment) => `${segment}/`).join('') }];
    });
  }

  private labelOf({ folder, path }: IndexedFile): string {
    return this.parts.gate.label({ folder, segments: path.split('/') });
  }
}
