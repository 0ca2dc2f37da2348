import { computed, effect, type ReadonlySignal } from '@preact/signals-core';
import { type Clock, systemClock } from '../../../base/clock';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { Logger } from '../../../base/log';
import type {
  DocumentsPort,
  EditorServerSettings,
  FileChange,
  WorkspaceFolderInfo,
  WorkspacePort,
} from '../editorTypes';
import { fileUri, pathOfFileUri, pathsOf } from './fileNames';
import type { PathGate } from './pathGate';
import { type Snapshot, Snapshots } from './snapshots';
import { pathsFrom } from './worker/listedPaths';
import type { FoundPath, WorkspaceSpec } from './worker/workerTypes';
import { WorkerThread } from './workerThread';

/** A file of the workspace as lists name it. */
export interface IndexedFile {
  readonly uri: string;
  readonly folder: WorkspaceFolderInfo;
  /** From its folder on, with `/`. */
  readonly path: string;
}

export interface FilePage {
  readonly files: readonly IndexedFile[];
  readonly total: number;
  readonly nextCursor?: string;
}

export interface FuzzyOptions {
  readonly kind: 'file' | 'directory';
  readonly folder?: WorkspaceFolderInfo;
  readonly limit: number;
}

export interface IndexSources {
  readonly workspace: WorkspacePort;
  readonly documents: DocumentsPort;
  readonly settings: ReadonlySignal<Pick<EditorServerSettings, 'secrets'>>;
  readonly gate: Pick<PathGate, 'realPathOf'>;
}

const LARGEST_PAGE = 200;
/** Changes are gathered this long, in milliseconds; of more than so many the whole workspace is walked anew. */
const GATHER_MS = 200;
const MOST_CHANGES = 2_000;

/**
 * All files of the workspace in one stable order, kept up to date: folder by folder, by the code units of their paths. Walking
 * and matching are done by a thread; the caller's is held up by no more than one page.
 */
export class FileIndex implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private readonly spec = computed(() => ({
    folders: this.sources.workspace.folders.value,
    excludes: this.sources.workspace.excludes.value,
    secrets: this.sources.settings.value.secrets,
  }));
  private readonly pending = new Set<string>();
  private gathering: Disposable | undefined;
  private ready: Promise<WorkerThread> | undefined;
  private current: Promise<Snapshot> | undefined;
  /** When the thread has taken in what it was told. */
  private settled: Promise<void> = Promise.resolve();
  /** When it goes by the folders, exclusions and secrets of now. */
  private walked: Promise<void> = Promise.resolve();
  /** For the cursors of what is listed of this index. */
  readonly snapshots = new Snapshots();
  /** Files have come or gone. */
  readonly onDidChange = this.changed.event;

  /** `entry` is the bundle of the thread. */
  constructor(
    private readonly sources: IndexSources,
    private readonly entry: URL,
    private readonly log: Logger,
    private readonly clock: Clock = systemClock,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {
    let isFirst = true;
    this.store.defer(
      effect(() => {
        void this.spec.value;
        if (!isFirst) {
          this.walkAnew();
          this.walked = this.settled;
        }
        isFirst = false;
      }),
    );
    this.store.add(sources.workspace.onDidChangeFiles((changes) => this.gather(changes)));
    this.store.add(sources.documents.onDidChange((uri) => this.gatherDocument(uri)));
    this.store.defer(() => this.gathering?.dispose());
  }

  /** Walks the workspace, so that the first to ask need not wait for it. */
  async warm(): Promise<void> {
    await this.snapshot();
  }

  /** One page of at most 200 files; rejects with ARGUMENTS_INVALID for a cursor that is not good, or no longer. */
  async page(cursor?: string, limit: number = LARGEST_PAGE): Promise<FilePage> {
    const list = ['files'];
    const { snapshot, place } =
      cursor === undefined ? { snapshot: await this.snapshot(), place: [0] } : this.snapshots.open(cursor, list);
    const [start = 0] = place;
    const total = snapshot.files.counts.reduce((sum, count) => sum + count, 0);
    const files = this.filesOf(snapshot, pathsFrom(snapshot.files, start, Math.min(limit, LARGEST_PAGE)));
    const next = start + files.length;
    return { files, total, ...(next < total ? { nextCursor: this.snapshots.cursor(snapshot, list, [next]) } : {}) };
  }

  /** The files as they are now, all changes that were told taken in. */
  async snapshot(): Promise<Snapshot> {
    this.flush();
    await this.settled;
    this.current ??= this.take();
    return this.current;
  }

  /** The files or directories that fit a query, the best first, and how many there are. */
  async fuzzy(
    query: string,
    { kind, folder, limit }: FuzzyOptions,
  ): Promise<{ readonly found: readonly IndexedFile[]; readonly total: number }> {
    const thread = await this.whenReady();
    await this.walked;
    const spec = this.spec.peek();
    const place = folder === undefined ? -1 : spec.folders.findIndex(({ uri }) => uri === folder.uri);
    const result = await thread.request('fuzzy', { query, kind, limit, ...(place < 0 ? {} : { folder: place }) });
    // What was found in other folders, or by other rules, is not told.
    return spec === this.spec.peek()
      ? { found: this.filesOf(spec, result.found), total: result.total }
      : this.fuzzy(query, { kind, limit, ...(folder ? { folder } : {}) });
  }

  filesOf({ folders }: Pick<Snapshot, 'folders'>, paths: readonly FoundPath[]): readonly IndexedFile[] {
    const { join } = pathsOf(this.platform);
    return paths.flatMap(({ folder: place, path }) => {
      const folder = folders[place];
      return folder ? [{ uri: fileUri(join(folder.path, path), this.platform), folder, path }] : [];
    });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async take(): Promise<Snapshot> {
    const spec = this.spec.peek();
    try {
      const thread = await this.whenReady();
      const files = await thread.request('list', null);
      return spec === this.spec.peek() ? this.snapshots.add(spec.folders, files) : await this.snapshot();
    } catch (error) {
      this.current = undefined;
      throw error;
    }
  }

  private whenReady(): Promise<WorkerThread> {
    this.ready ??= this.open();
    return this.ready;
  }

  private async open(): Promise<WorkerThread> {
    const thread = new WorkerThread(this.entry, this.log, () => {
      this.store.release(thread);
      this.ready = undefined;
      this.current = undefined;
    });
    this.store.add(thread);
    await thread.request('configure', await this.workspaceSpec());
    return thread;
  }

  private async workspaceSpec(): Promise<WorkspaceSpec> {
    const { folders, excludes, secrets } = this.spec.peek();
    return {
      secrets,
      folders: await Promise.all(
        folders.map(async ({ path, uri }) => ({
          path,
          realPath: (await this.sources.gate.realPathOf(path)) ?? path,
          excludes: excludes[uri] ?? excludes[''] ?? [],
        })),
      ),
    };
  }

  private gather(changes: readonly FileChange[]): void {
    for (const { uri, kind } of changes) {
      const path = pathOfFileUri(uri, this.platform);
      if (path !== undefined && (kind !== 'changed' || isRules(path))) {
        this.add(path);
      }
    }
  }

  /** A document that is saved for the first time may be there before the watcher tells of its file. */
  private gatherDocument(uri: string): void {
    const document = this.sources.documents.find(uri);
    if (document?.path !== undefined && !document.isDirty) {
      this.add(document.path);
    }
  }

  private add(path: string): void {
    this.pending.add(path);
    this.gathering ??= this.clock.after(GATHER_MS, () => this.flush());
  }

  private flush(): void {
    const paths = [...this.pending];
    this.pending.clear();
    this.gathering?.dispose();
    this.gathering = undefined;
    // Before anybody has asked there is nothing to follow: the walk will find it all.
    if (paths.length === 0 || this.ready === undefined) {
      return;
    }
    if (paths.length > MOST_CHANGES || paths.some(isRules)) {
      this.walkAnew();
    } else {
      this.follow((thread) => thread.request('update', paths));
    }
  }

  private walkAnew(): void {
    this.snapshots.clear();
    this.current = undefined;
    if (this.ready !== undefined) {
      this.follow(async (thread) => {
        await thread.request('configure', await this.workspaceSpec());
        return true;
      });
    }
  }

  private follow(step: (thread: WorkerThread) => Promise<boolean>): void {
    this.settled = this.whenReady()
      .then(step)
      .then(
        (changed) => {
          if (changed && !this.store.isDisposed) {
            this.current = undefined;
            this.changed.fire();
          }
        },
        (error: unknown) => {
          this.current = undefined;
          this.log.warn(`Changes of the workspace were not followed: ${String(error)}`);
        },
      );
  }
}

function isRules(path: string): boolean {
  return /(^|[\\/])\.gitignore$/.test(path);
}
