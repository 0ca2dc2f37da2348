import { type Clock, systemClock } from '../../../base/clock';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { cancelled, PorticoError } from '../../../base/errors';
import { FairQueue } from '../../../base/fairQueue';
import type { Logger } from '../../../base/log';
import type { Asker } from './asker';
import type { SearchOutcome } from './searchTypes';
import type { FilterParams, FilterResult, SearchParams, SearchProgress, WorkerRequests } from './worker/workerTypes';
import { WorkerThread } from './workerThread';

/** At once, of searches and of lists; of one client one of each at a time, so that none takes the place of all. */
const AT_ONCE = 2;
/** A thread that has told nothing for this long is lost in one text, in milliseconds. */
const STALLED_MS = 3_000;
const IDLE_MS = 30_000;

/** Threads for what agents' own patterns are matched by: one that is lost in its pattern is ended, and the next gets a new one. */
export class SearchThreads implements Disposable {
  private readonly store = new DisposableStore();
  private readonly searches = new FairQueue(AT_ONCE);
  private readonly filters = new FairQueue(AT_ONCE);
  private readonly idle: { readonly thread: WorkerThread; readonly end: Disposable }[] = [];

  /** `entry` is the bundle of the thread. */
  constructor(
    private readonly entry: URL,
    private readonly log: Logger,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Rejects with TIMEOUT where the pattern takes too long at one text, with ARGUMENTS_INVALID where it is none. The params, with
   * all texts that are not saved, are made when the turn has come.
   */
  search(
    params: () => Promise<SearchParams>,
    { client, signal }: Asker,
    progress: (value: SearchProgress) => void = () => undefined,
  ): Promise<SearchOutcome> {
    return this.searches.run(client.id, signal, async () => this.onThread('search', await params(), signal, progress));
  }

  /** Beside all searches, whose patterns may take long. */
  filter(params: FilterParams, { client, signal }: Asker): Promise<FilterResult> {
    return this.filters.run(client.id, signal, () => this.onThread('filter', params, signal, () => undefined));
  }

  dispose(): void {
    this.store.dispose();
  }

  private async onThread<K extends 'search' | 'filter'>(
    kind: K,
    params: WorkerRequests[K]['params'],
    signal: AbortSignal,
    progress: (value: SearchProgress) => void,
  ): Promise<WorkerRequests[K]['result']> {
    if (signal.aborted) {
      throw cancelled('The search');
    }
    const thread = this.take();
    try {
      const result = await this.watched(thread, kind, params, signal, progress);
      this.keep(thread);
      return result;
    } catch (error) {
      if (PorticoError.is(error, 'ARGUMENTS_INVALID')) {
        this.keep(thread);
      } else {
        this.store.release(thread);
      }
      throw error;
    }
  }

  private async watched<K extends 'search' | 'filter'>(
    thread: WorkerThread,
    kind: K,
    params: WorkerRequests[K]['params'],
    signal: AbortSignal,
    progress: (value: SearchProgress) => void,
  ): Promise<WorkerRequests[K]['result']> {
    let timer: Disposable | undefined;
    let stop = (_error: PorticoError): void => undefined;
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = reject;
    });
    const watch = (): void => {
      timer?.dispose();
      timer = this.clock.after(STALLED_MS, () =>
        stop(
          new PorticoError(
            'TIMEOUT',
            'The pattern takes too long. Make it simpler: without repetitions in repetitions, or as plain text.',
          ),
        ),
      );
    };
    const abort = (): void => stop(cancelled('The search'));
    signal.addEventListener('abort', abort, { once: true });
    watch();
    try {
      const told = (value: unknown): void => {
        watch();
        progress(value as SearchProgress);
      };
      return await Promise.race([thread.request(kind, params, told), stopped]);
    } finally {
      timer?.dispose();
      signal.removeEventListener('abort', abort);
    }
  }

  private take(): WorkerThread {
    const idle = this.idle.pop();
    if (idle) {
      this.store.release(idle.end);
      return idle.thread;
    }
    return this.store.add(new WorkerThread(this.entry, this.log));
  }

  private keep(thread: WorkerThread): void {
    const end = this.store.add(
      this.clock.after(IDLE_MS, () => {
        this.idle.splice(
          this.idle.findIndex((each) => each.thread === thread),
          1,
        );
        this.store.release(end);
        this.store.release(thread);
      }),
    );
    this.idle.push({ thread, end });
  }
}
