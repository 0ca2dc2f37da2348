import { type Clock, systemClock } from '../../../base/clock';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { cancelled, PorticoError } from '../../../base/errors';
import { Limiter } from '../../../base/sequencer';
import type { SearchProgress, WorkerRequests } from './worker/workerTypes';
import { WorkerThread } from './workerThread';

const THREADS = 2;
/** A thread that has told nothing for this long is lost in one text, in milliseconds. */
const STALLED_MS = 3_000;
const IDLE_MS = 30_000;

/** Threads for what agents' own patterns are matched by: one that is lost in its pattern is ended, and the next gets a new one. */
export class SearchThreads implements Disposable {
  private readonly store = new DisposableStore();
  private readonly limiter = new Limiter(THREADS);
  private readonly idle: { readonly thread: WorkerThread; readonly end: Disposable }[] = [];

  /** `entry` is the bundle of the thread. */
  constructor(
    private readonly entry: URL,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Rejects with TIMEOUT where the pattern takes too long at one text, with ARGUMENTS_INVALID where it is none. */
  run<K extends 'search' | 'filter'>(
    kind: K,
    params: WorkerRequests[K]['params'],
    signal: AbortSignal,
    progress: (value: SearchProgress) => void = () => undefined,
  ): Promise<WorkerRequests[K]['result']> {
    return this.limiter.run(async () => {
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
    });
  }

  dispose(): void {
    this.store.dispose();
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
    return this.store.add(new WorkerThread(this.entry));
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
