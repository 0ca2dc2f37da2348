import type { CompletionValues } from '../offerTypes';
import type { FileSearch } from '../workspaceFiles';
import type { IndexedFile } from './fileIndex';
import type { FileParts } from './fileParts';
import { pathsOf, segmentsBelow } from './fileNames';
import { pathsFrom } from './worker/listedPaths';

/** How many values a completion has at most (spec: server/utilities/completion). */
export const MOST_VALUES = 100;

/** What the other rooms of the editor server ask of the index. */
export class IndexedFileSearch implements FileSearch {
  constructor(private readonly parts: Pick<FileParts, 'index' | 'gate'>) {}

  async list(
    below: string | undefined,
    limit: number,
  ): Promise<{ readonly paths: readonly string[]; readonly total: number }> {
    const { platform } = this.parts.gate;
    const snapshot = await this.parts.index.snapshot();
    const found = pathsFrom(snapshot.files, 0, Number.MAX_SAFE_INTEGER)
      .map(({ folder, path }) => pathsOf(platform).join(snapshot.folders[folder]?.path ?? '', path))
      .filter((path) => below === undefined || segmentsBelow(below, path, platform) !== undefined);
    return { paths: found.slice(0, limit), total: found.length };
  }

  async complete(value: string, what: 'file' | 'directory'): Promise<CompletionValues> {
    const { found, total } = await this.parts.index.fuzzy(value, { kind: what, limit: MOST_VALUES });
    return { values: found.map((file) => this.labelOf(file)), total, hasMore: total > found.length };
  }

  private labelOf({ folder, path }: IndexedFile): string {
    return this.parts.gate.label({ folder, path, segments: path.split('/') });
  }
}
