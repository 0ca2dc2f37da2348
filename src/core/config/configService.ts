import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core';
import { homedir } from 'node:os';
import { sep } from 'node:path';
import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { toProblem } from '../../base/errors';
import type {
  ConfigFiles,
  ConfigInputs,
  ConfigProblem,
  ConfigService,
  ConfigSnapshot,
  ConfigSource,
  Launch,
  ResolvedLaunch,
  ServerDefinition,
  VariableSource,
} from './configTypes';
import { buildSnapshot } from './definitions';
import { readConfigText, readSettingsValue, type SourceReading } from './readSource';
import type * as selfEntryModule from './selfEntry';
import { type PlannedSource, planSources } from './sources';
import { withSettings } from './withSettings';

export interface ConfigServiceOptions {
  readonly clock?: Clock;
  /** Milliseconds that a burst of changes to files is gathered for. */
  readonly settleMs?: number;
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
  /** What a server's process inherits. */
  readonly environment?: () => Readonly<Record<string, string | undefined>>;
  readonly own?: OwnPrograms;
}

/** Programs and addresses of this Portico: entries that lead there are never started. */
export interface OwnPrograms {
  readonly paths: readonly string[];
  readonly urls: ReadonlySignal<readonly string[]>;
}

/** What a file holds: its text, nothing where there is no file, or why it cannot be read. */
interface FileState {
  readonly text?: string;
  readonly failure?: string;
}

export function createConfigService(
  inputs: ConfigInputs,
  files: ConfigFiles,
  variables: VariableSource,
  options: ConfigServiceOptions = {},
): ConfigService {
  return new ConfigReader(inputs, files, variables, options);
}

class ConfigReader implements ConfigService {
  private readonly store = new DisposableStore();
  private readonly watched = new Map<string, Disposable>();
  private readonly changed = new Set<string>();
  private settling: Disposable | undefined;
  /** What each file held when it was last read; a path is absent until then. */
  private readonly states = signal<ReadonlyMap<string, FileState>>(new Map());
  private readonly planned: ReadonlySignal<readonly PlannedSource[]>;
  /** Tells entries that lead back to Portico; loaded while the files are read. */
  private readonly selfEntry = signal<typeof selfEntryModule | undefined>(undefined);
  /** The last reading of each source whose text could be parsed. */
  private readonly lastGood = new Map<string, SourceReading>();
  private readonly current = signal<ConfigSnapshot>({ definitions: [], problems: [] });
  readonly snapshot: ReadonlySignal<ConfigSnapshot> = this.current;
  readonly ready: Promise<void>;

  constructor(
    private readonly inputs: ConfigInputs,
    private readonly files: ConfigFiles,
    private readonly variables: VariableSource,
    private readonly options: ConfigServiceOptions,
  ) {
    this.planned = computed(() =>
      planSources({
        folders: inputs.folders.value,
        settings: inputs.settings.value,
        kinds: inputs.sources.value,
        ...(inputs.userMcpJson === undefined ? {} : { userMcpJson: inputs.userMcpJson }),
        ...(inputs.files === undefined ? {} : { files: inputs.files }),
      }),
    );
    let settled = (): void => undefined;
    this.ready = new Promise((resolve) => {
      settled = resolve;
    });
    this.store.defer(settled);
    void import('./selfEntry').then((module) => (this.selfEntry.value = module));
    this.store.defer(() => this.settling?.dispose());
    this.store.defer(() => this.watched.forEach((watch) => watch.dispose()));
    this.store.defer(effect(() => this.follow(this.planned.value)));
    this.store.defer(
      effect(() => {
        const planned = this.planned.value;
        const states = this.states.value;
        const urls = options.own?.urls.value ?? [];
        const leadsToPortico = this.selfEntry.value?.leadsToPortico;
        // Nothing is told before everything was read once: a half-read config would stop servers.
        if (leadsToPortico && planned.every(({ source }) => source.file === undefined || states.has(source.file))) {
          const { own, environment = () => process.env } = options;
          const addresses = { paths: own?.paths ?? [], home: environment()['PORTICO_HOME'], urls };
          untracked(() => this.update(planned, states, (launch) => leadsToPortico(launch, addresses)));
          settled();
        }
      }),
    );
  }

  async resolve(definition: ServerDefinition, interactive: boolean): Promise<ResolvedLaunch> {
    const { resolveLaunch } = await import('./resolveLaunch');
    const { home = homedir(), platform = process.platform, environment = () => process.env } = this.options;
    return resolveLaunch(
      {
        definition,
        folders: this.inputs.folders.peek(),
        home,
        platform,
        separator: platform === 'win32' ? '\\' : sep,
        source: this.variables,
        files: this.files,
        environment: environment(),
      },
      interactive,
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Watches the files of all sources, each once, and reads the new ones. */
  private follow(planned: readonly PlannedSource[]): void {
    const wanted = new Set(planned.flatMap(({ source }) => source.file ?? []));
    for (const [path, watch] of this.watched) {
      if (!wanted.has(path)) {
        watch.dispose();
        this.watched.delete(path);
      }
    }
    const fresh = [...wanted].filter((path) => !this.watched.has(path));
    for (const path of fresh) {
      this.watched.set(
        path,
        this.files.watch(path, () => this.mark(path)),
      );
    }
    if (fresh.length > 0) {
      void this.read(fresh);
    }
  }

  /** Gathers a burst of changes: editors write a file in several steps. */
  private mark(path: string): void {
    this.changed.add(path);
    this.settling ??= (this.options.clock ?? systemClock).after(this.options.settleMs ?? 80, () => {
      this.settling = undefined;
      const paths = [...this.changed];
      this.changed.clear();
      void this.read(paths);
    });
  }

  /** Never rejects: what cannot be read is a state of the file. */
  private async read(paths: readonly string[]): Promise<void> {
    const read = await Promise.all(paths.map(async (path) => [path, await this.stateOf(path)] as const));
    if (this.store.isDisposed) {
      return;
    }
    const kept = [...this.states.peek()].filter(([path]) => this.watched.has(path));
    this.states.value = new Map([...kept, ...read.filter(([path]) => this.watched.has(path))]);
  }

  private async stateOf(path: string): Promise<FileState> {
    try {
      const text = await this.files.read(path);
      return text === undefined ? {} : { text };
    } catch (error) {
      return { failure: toProblem(error).message };
    }
  }

  private update(
    planned: readonly PlannedSource[],
    states: ReadonlyMap<string, FileState>,
    isSelf: (launch: Launch) => boolean,
  ): void {
    const readings = planned.map(({ source, layer }) => {
      const state = states.get(source.file ?? '') ?? {};
      return layer === undefined ? this.readFile(source, state) : readSettingsValue(layer.value, source, state.text);
    });
    const previous = this.current.peek();
    const next = buildSnapshot(
      readings,
      (launch) => withSettings(launch, (name) => this.variables.config(name)),
      isSelf,
      previous,
    );
    const same =
      next.definitions.length === previous.definitions.length &&
      next.definitions.every((definition, index) => definition === previous.definitions[index]) &&
      JSON.stringify(next.problems) === JSON.stringify(previous.problems);
    if (!same) {
      this.current.value = next;
    }
  }

  private readFile(source: ConfigSource, { text, failure }: FileState): SourceReading {
    const slot = `${source.id}\n${source.file ?? ''}`;
    if (failure !== undefined) {
      return this.keepLastGood(slot, source, [unreadable(source, failure)]);
    }
    if (text === undefined) {
      this.lastGood.delete(slot);
      const problems = source.kind === 'file' ? [unreadable(source, 'there is no such file')] : [];
      return { source, entries: [], brokenKeys: [], problems, unparsable: false };
    }
    const reading = readConfigText(text, source);
    if (reading.unparsable) {
      return this.keepLastGood(slot, source, reading.problems);
    }
    this.lastGood.set(slot, reading);
    return reading;
  }

  /**
   * A file in the middle of an edit must not stop what runs: its entries stay as they were until it can be read again. Where it
   * never could be, there are none: what a cut file seems to say is not to be run.
   */
  private keepLastGood(slot: string, source: ConfigSource, problems: readonly ConfigProblem[]): SourceReading {
    const good = this.lastGood.get(slot);
    return { source, entries: [], brokenKeys: [], unparsable: true, ...good, problems };
  }
}

function unreadable(source: ConfigSource, why: string): ConfigProblem {
  const message = `${source.label} cannot be read: ${why}. Check the path and its permissions.`;
  return { code: 'CONFIG_UNREADABLE', message, source };
}
