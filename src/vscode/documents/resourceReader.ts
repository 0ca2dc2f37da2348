import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { cancelled, PorticoError, type Problem, toProblem } from '../../base/errors';
import type { ProgressUpdate } from '../../core/connections/connectionTypes';
import type { Hub } from '../../core/hubTypes';
import { BoundedMap } from '../interop/boundedMap';
import { type KnownResources, type ResourceKey, resourceKey } from '../interop/knownResources';
import { type ResourceContent, toContents } from './resourceContents';

/**
 * How the last read of a resource ended. `at`: when, in milliseconds since the epoch; it grows with every read. The
 * contents stay the same object where the same came again.
 */
export type ReadOutcome =
  | { readonly contents: readonly ResourceContent[]; readonly at: number; readonly problem?: undefined }
  | { readonly problem: Problem; readonly at: number; readonly contents?: undefined };

export interface ReadOptions {
  /** Whether the person may be asked something; not when absent. */
  readonly interactive?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (update: ProgressUpdate) => void;
}

interface Flight {
  readonly resource: string;
  readonly controller: AbortController;
  readonly contents: Promise<readonly ResourceContent[]>;
  /** Those who want to know how far it is. */
  readonly watching: Set<(update: ProgressUpdate) => void>;
  waiting: number;
}

const limits = { resources: 300, bytes: 128 * 1_024 * 1_024 };

/** Reads resources through the hub, those who ask at the same time together, and keeps in memory what came. */
export class ResourceReader implements Disposable {
  private readonly outcomes = new BoundedMap<ReadOutcome>(limits.resources, limits.bytes);
  private readonly flights = new Map<string, Flight>();
  private readonly changes = new Emitter<ResourceKey>();
  /** Something else than what was kept of a resource has come. */
  readonly onDidChange = this.changes.event;
  private lastAt = 0;

  constructor(
    private readonly hub: Pick<Hub, 'ready' | 'readResource'>,
    private readonly known: KnownResources,
    private readonly clock: Clock,
  ) {}

  /** What the last read brought, as long as it is kept. */
  kept(key: ResourceKey): ReadOutcome | undefined {
    return this.outcomes.get(resourceKey(key));
  }

  forget(key: ResourceKey): void {
    this.outcomes.delete(resourceKey(key));
  }

  /** Reads anew. One who stops waiting ends the read only where nobody else waits for it. */
  async read(
    key: ResourceKey,
    { interactive = false, signal, onProgress }: ReadOptions = {},
  ): Promise<readonly ResourceContent[]> {
    const name = `${interactive ? 'asking' : 'silent'} ${resourceKey(key)}`;
    const flight = this.flights.get(name) ?? this.start(name, key, interactive);
    flight.waiting += 1;
    if (onProgress) {
      flight.watching.add(onProgress);
    }
    try {
      return await untilAborted(flight.contents, signal);
    } finally {
      flight.waiting -= 1;
      if (onProgress) {
        flight.watching.delete(onProgress);
      }
      if (flight.waiting === 0) {
        flight.controller.abort();
      }
    }
  }

  /** Settles once no read of it is under way. */
  async idle(key: ResourceKey): Promise<void> {
    const name = resourceKey(key);
    const under = [...this.flights.values()].filter((flight) => flight.resource === name);
    await Promise.allSettled(under.map(({ contents }) => contents));
  }

  /** How a new read ends, asking nobody anything. */
  async outcome(key: ResourceKey): Promise<ReadOutcome> {
    try {
      await this.read(key);
    } catch (error) {
      return this.kept(key) ?? { problem: toProblem(error), at: this.now() };
    }
    return this.kept(key) ?? { contents: [], at: this.now() };
  }

  dispose(): void {
    for (const { controller } of this.flights.values()) {
      controller.abort();
    }
    this.changes.dispose();
  }

  private start(name: string, key: ResourceKey, interactive: boolean): Flight {
    const controller = new AbortController();
    const over = (): void => {
      if (this.flights.get(name) === flight) {
        this.flights.delete(name);
      }
    };
    const watching: Flight['watching'] = new Set();
    const onProgress = (update: ProgressUpdate): void => watching.forEach((watch) => watch(update));
    const contents = this.ask(key, { interactive, signal: controller.signal, onProgress }).finally(over);
    const flight: Flight = { resource: resourceKey(key), controller, contents, watching, waiting: 0 };
    this.flights.set(name, flight);
    // One that nobody waits for any longer is not joined.
    controller.signal.addEventListener('abort', over);
    return flight;
  }

  private async ask(key: ResourceKey, options: ReadOptions): Promise<readonly ResourceContent[]> {
    const { server, uri } = key;
    try {
      await this.hub.ready;
      const fresh = toContents(uri, (await this.hub.readResource(server, uri, options)).contents);
      const before = this.kept(key)?.contents;
      const contents = before && isDeepStrictEqual(fresh, before) ? before : fresh;
      this.keep(key, { contents, at: this.now() });
      const parts = contents.map(({ bytes: _, ...part }) => part);
      this.known.add(key, { parts });
      return contents;
    } catch (error) {
      this.keepFailure(key, error);
      throw error;
    }
  }

  /** What was there stays where it was only the way to the server that failed: it may be as it was. */
  private keepFailure(key: ResourceKey, error: unknown): void {
    const before = this.kept(key);
    const ofConnection = PorticoError.is(error) && error.code !== 'REPLY_INVALID';
    if (PorticoError.is(error, 'CANCELLED') || (ofConnection && before && before.problem === undefined)) {
      return;
    }
    this.keep(key, { problem: toProblem(error), at: this.now() });
  }

  private keep(key: ResourceKey, outcome: ReadOutcome): void {
    const bytes = outcome.problem ? 0 : outcome.contents.reduce((sum, { size }) => sum + size, 0);
    const before = this.kept(key);
    this.outcomes.set(resourceKey(key), outcome, bytes);
    if (before && (outcome.problem || outcome.contents !== before.contents)) {
      this.changes.fire({ server: key.server, uri: key.uri });
    }
  }

  /** The editor loads a file again only where its time has changed. */
  private now(): number {
    this.lastAt = Math.max(this.clock.now(), this.lastAt + 1);
    return this.lastAt;
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return work;
  }
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(cancelled('Reading the resource'));
    signal.addEventListener('abort', stop);
    if (signal.aborted) {
      stop();
    }
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) {
      signal.removeEventListener('abort', stop);
    }
  }
}
