import type { Clock } from '../../../base/clock';
import { PorticoError } from '../../../base/errors';
import type { DiagnosticSeverity, EditorPorts } from '../editorTypes';
import { compileGlobs } from '../files/globs';
import type { TextOnDisk } from '../textOnDisk';
import type { WorkspaceFile, WorkspaceFiles } from '../workspaceTypes';
import type { AnalysisLog } from './analysisLog';
import { Baselines } from './baselines';
import { type DiagnosticItem, type DiagnosticOrder, knownDiagnostics, sortDiagnostics } from './diagnosticItems';
import { Freshener, type Freshness } from './freshness';

/** How many files are waited for at the same time. */
const atOnce = 8;

export interface DiagnosticsQuery {
  /** Files alone are looked at one by one, those of a directory or the whole workspace as far as they are known. */
  readonly scope:
    | { readonly kind: 'files'; readonly files: readonly WorkspaceFile[] }
    | { readonly kind: 'directory'; readonly directory: WorkspaceFile }
    | { readonly kind: 'workspace' };
  readonly severities: readonly DiagnosticSeverity[];
  readonly sources?: readonly string[];
  readonly excludeSources?: readonly string[];
  /** Globs of labels. */
  readonly glob?: string;
  /** Only files written or put there since, in milliseconds since the epoch. */
  readonly changedSince?: number;
  /** The id of a baseline: only what is new since. */
  readonly newSince?: string;
  readonly order: DiagnosticOrder;
  /** Files of a directory or of the workspace that are loaded and waited for though nobody reported on them; at most. */
  readonly load: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  progress?(done: number, total: number): void;
}

export interface FileState extends Freshness {
  readonly file: string;
  readonly uri: string;
  readonly problems: number;
}

export interface DiagnosticsReport {
  /** Every file that was asked for is fresh: what is not listed is not there. */
  readonly complete: boolean;
  readonly incompleteBecause: string | undefined;
  /** In the scope, where it is known. */
  readonly filesInScope: number | undefined;
  readonly files: readonly FileState[];
  /** Over all severities, whatever part is listed. */
  readonly counts: Readonly<Record<DiagnosticSeverity, number>>;
  readonly sources: Readonly<Record<string, number>>;
  readonly items: readonly DiagnosticItem[];
  readonly baseline: string;
}

/** Diagnostics that can be trusted: with each file's state, the true counts, and no silence where something is not known. */
export class DiagnosticsReader {
  private readonly baselines = new Baselines();
  private readonly freshener: Freshener;

  constructor(
    private readonly ports: EditorPorts,
    private readonly files: WorkspaceFiles,
    disk: TextOnDisk,
    log: AnalysisLog,
    private readonly clock: Clock,
  ) {
    this.freshener = new Freshener(ports, files, disk, log, clock);
  }

  /** Everything that is known now, as something to compare with later. */
  mark(): string {
    return this.baselines.save(this.known().flatMap(({ items }) => items));
  }

  async report(query: DiagnosticsQuery): Promise<DiagnosticsReport> {
    // Told before anything is waited for.
    const newOf = query.newSince === undefined ? undefined : this.baselines.since(query.newSince);
    const { targets, total, isWhole } = await this.targets(query);
    const states = await this.settleAll(targets, query);
    const known = this.known();
    const wanted = new Set(targets.map(({ uri }) => uri));
    const inScope = known.flatMap(({ file, items }) => (wanted.has(file.uri) ? items : []));
    const matching = inScope.filter((item) => fits(item, query));
    const fresh = newOf === undefined ? matching : newOf(matching);
    const listed = fresh.filter(({ severity }) => query.severities.includes(severity));
    const unsettled = [...states.values()].filter(({ state }) => state !== 'fresh').length;
    const incompleteBecause = !isWhole
      ? 'Only files that are open or that an extension reported on were looked at.'
      : unsettled > 0
        ? `${unsettled} of ${targets.length} files could not be looked at as they are now; their states say why.`
        : undefined;
    return {
      complete: incompleteBecause === undefined,
      incompleteBecause,
      filesInScope: total,
      files: targets.flatMap((file) => {
        const state = states.get(file.uri);
        const problems = listed.filter(({ uri }) => uri === file.uri).length;
        return state === undefined ? [] : [{ file: file.label, uri: file.uri, problems, ...state }];
      }),
      counts: countBySeverity(fresh),
      sources: Object.fromEntries(countBy(fresh, ({ source }) => source ?? '')),
      items: sortDiagnostics(listed, query.order),
      baseline: this.baselines.save(known.flatMap(({ items }) => items)),
    };
  }

  private known(): ReturnType<typeof knownDiagnostics> {
    return knownDiagnostics(this.ports, this.files);
  }

  /** The files that the query is about, and whether that is all of them. */
  private async targets(query: DiagnosticsQuery): Promise<{
    readonly targets: readonly WorkspaceFile[];
    readonly total: number | undefined;
    readonly isWhole: boolean;
  }> {
    const { scope } = query;
    if (scope.kind === 'files') {
      const targets = await this.filter(distinct(scope.files), query);
      return { targets, total: targets.length, isWhole: true };
    }
    const directory = scope.kind === 'directory' ? scope.directory : undefined;
    const seen = [
      ...this.known().flatMap(({ file, items }) => (items.length > 0 ? [file] : [])),
      ...this.ports.documents.all().flatMap(({ uri }) => this.files.ofUri(uri) ?? []),
    ].filter((file) => directory === undefined || this.files.isBelow(file, directory));
    if (query.load === 0) {
      return { targets: await this.filter(distinct(seen), query), total: undefined, isWhole: false };
    }
    const { files, total } = await this.files.list(directory, query.load);
    const targets = await this.filter(distinct([...seen, ...files]), query);
    return { targets, total, isWhole: total > 0 && files.length >= total };
  }

  private async filter(files: readonly WorkspaceFile[], query: DiagnosticsQuery): Promise<readonly WorkspaceFile[]> {
    const inGlob = query.glob === undefined ? () => true : compileGlobs([query.glob]);
    const { changedSince } = query;
    const kept = await Promise.all(
      files
        .filter(({ label }) => inGlob(label))
        .map(async (named) => {
          const file = await this.files.passing(named.uri);
          if (file === undefined) {
            return [];
          }
          const isKept =
            changedSince === undefined ||
            this.files.documentOf(file)?.isDirty === true ||
            ((await this.files.stat(file))?.changedMs ?? 0) >= changedSince;
          return isKept ? [file] : [];
        }),
    );
    return kept.flat().sort((a, b) => (a.label < b.label ? -1 : 1));
  }

  private async settleAll(
    targets: readonly WorkspaceFile[],
    query: DiagnosticsQuery,
  ): Promise<ReadonlyMap<string, Freshness>> {
    const deadline = this.clock.now() + query.timeoutMs;
    const states = new Map<string, Freshness>();
    const queue = [...targets];
    const work = async (): Promise<void> => {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        states.set(file.uri, await this.stateOf(file, query, deadline));
        query.progress?.(states.size, targets.length);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return states;
  }

  private async stateOf(file: WorkspaceFile, query: DiagnosticsQuery, deadline: number): Promise<Freshness> {
    if (query.scope.kind === 'files') {
      return this.freshener.settle(file, deadline, query.signal);
    }
    if (query.load === 0 && this.files.documentOf(file) === undefined) {
      return this.freshener.glance(file);
    }
    try {
      return await this.freshener.settle(file, deadline, query.signal);
    } catch (error) {
      // One of many was deleted meanwhile: its old diagnostics must not pass for current ones.
      if (PorticoError.is(error, 'RESOURCE_UNKNOWN')) {
        return this.freshener.glance(file);
      }
      throw error;
    }
  }
}

function fits({ source = '' }: DiagnosticItem, { sources, excludeSources }: DiagnosticsQuery): boolean {
  const has = (list: readonly string[]): boolean => list.some((each) => each.toLowerCase() === source.toLowerCase());
  return (sources === undefined || has(sources)) && !(excludeSources !== undefined && has(excludeSources));
}

function distinct(files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  return [...new Map(files.map((file) => [file.uri, file])).values()];
}

function countBySeverity(items: readonly DiagnosticItem[]): Readonly<Record<DiagnosticSeverity, number>> {
  const counts = countBy(items, ({ severity }) => severity);
  const of = (severity: DiagnosticSeverity): number => counts.get(severity) ?? 0;
  return { error: of('error'), warning: of('warning'), information: of('information'), hint: of('hint') };
}

/** In a map: sources have names that extensions choose, and an object has something under some of them from the beginning. */
function countBy<K>(items: readonly DiagnosticItem[], keyOf: (item: DiagnosticItem) => K): ReadonlyMap<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
