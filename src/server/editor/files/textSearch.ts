import type { DocumentsPort } from '../editorTypes';
import type { Asker } from './asker';
import type { FileIndex } from './fileIndex';
import type { PathGate } from './pathGate';
import type { SearchThreads } from './searchThreads';
import type { SearchCriteria, SearchOutcome } from './searchTypes';
import type { Snapshot } from './snapshots';
import type { FoundPath, SearchParams, SearchProgress } from './worker/workerTypes';

export interface TextSearchResult {
  readonly outcome: SearchOutcome;
  /** What the outcome's folders and files are of. */
  readonly snapshot: Snapshot;
  readonly nextCursor?: string;
}

/** Clients end calls after a minute; a search tells what it has long before. */
const BUDGET_MS = 20_000;

/** Searches the listed files; unsaved text wins over the disk. */
export class TextSearch {
  constructor(
    private readonly index: FileIndex,
    private readonly threads: SearchThreads,
    private readonly gate: PathGate,
    private readonly documents: DocumentsPort,
  ) {}

  /** Rejects with ARGUMENTS_INVALID for a cursor of another search, TIMEOUT for a pattern that takes too long. */
  async run(
    query: SearchCriteria,
    asker: Asker,
    cursor?: string,
    progress?: (value: SearchProgress) => void,
  ): Promise<TextSearchResult> {
    const list = ['search', query];
    const { snapshot, place } =
      cursor === undefined
        ? { snapshot: await this.index.snapshot(), place: [] }
        : this.index.snapshots.open(cursor, list);
    const [file = 0, skip = 0] = place;
    const outcome = await this.threads.search(() => this.paramsOf(query, snapshot, file, skip), asker, progress);
    const { next } = outcome;
    return {
      outcome,
      snapshot,
      ...(next ? { nextCursor: this.index.snapshots.cursor(snapshot, list, [next.file, next.skip]) } : {}),
    };
  }

  private async paramsOf(query: SearchCriteria, snapshot: Snapshot, file: number, skip: number): Promise<SearchParams> {
    const folders = snapshot.folders.map(async ({ path }) => ({
      path,
      realPath: (await this.gate.realPathOf(path)) ?? path,
    }));
    return {
      ...query,
      files: snapshot.files,
      folders: await Promise.all(folders),
      buffers: await this.buffers(snapshot),
      from: { file, skip },
      budgetMs: BUDGET_MS,
    };
  }

  private async buffers(snapshot: Snapshot): Promise<(FoundPath & { readonly text: string })[]> {
    const dirty = this.documents.all().filter(({ isDirty, path }) => isDirty && path !== undefined);
    const found = await Promise.all(
      dirty.map(async (document) => {
        const passed = await this.gate.passing(document.uri);
        const place = snapshot.folders.findIndex(({ uri }) => uri === passed?.folder.uri);
        return passed && place >= 0 ? [{ folder: place, path: passed.segments.join('/'), text: document.text() }] : [];
      }),
    );
    return found.flat();
  }
}
