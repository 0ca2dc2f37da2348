import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import type { WorkerAnswer, WorkerMessage, WorkerRequests } from './worker/workerTypes';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  progress(value: unknown): void;
}

/** One thread of `worker/main.ts`, and who waits for it: what is refused is theirs to put right, what fails goes to the log. */
export class WorkerThread implements Disposable {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private ended = false;

  /** `entry` is the bundle of the thread. */
  constructor(
    entry: URL,
    private readonly log: Logger,
    onEnd: () => void = () => undefined,
  ) {
    this.worker = new Worker(entry);
    this.worker.on('message', (answer: WorkerAnswer) => this.take(answer));
    this.worker.on('error', (error) => {
      log.error('The thread that reads the workspace failed.', error);
      this.end();
    });
    this.worker.on('exit', () => {
      this.end();
      onEnd();
    });
  }

  request<K extends keyof WorkerRequests>(
    kind: K,
    params: WorkerRequests[K]['params'],
    progress: (value: unknown) => void = () => undefined,
  ): Promise<WorkerRequests[K]['result']> {
    return new Promise((resolve, reject) => {
      if (this.ended) {
        reject(failed());
        return;
      }
      this.last += 1;
      const message: WorkerMessage<K> = { id: this.last, kind, params };
      this.waiting.set(message.id, { resolve: resolve as (value: unknown) => void, reject, progress });
      this.worker.postMessage(message);
    });
  }

  /** Ends the thread, whatever it is at. */
  dispose(): void {
    this.end();
    void this.worker.terminate();
  }

  private take(answer: WorkerAnswer): void {
    const waiting = this.waiting.get(answer.id);
    if (answer.kind === 'progress') {
      waiting?.progress(answer.value);
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.kind === 'result') {
      waiting?.resolve(answer.value);
    } else if (answer.kind === 'refused') {
      waiting?.reject(new PorticoError('ARGUMENTS_INVALID', answer.message));
    } else {
      this.log.error(`The thread that reads the workspace could not answer: ${answer.detail}`);
      waiting?.reject(failed());
    }
  }

  private end(): void {
    this.ended = true;
    const left = [...this.waiting.values()];
    this.waiting.clear();
    left.forEach(({ reject }) => reject(failed()));
  }
}

/** What went wrong is in the log: it says nothing to agents. */
function failed(): PorticoError {
  return new PorticoError('INTERNAL', 'The files of the workspace could not be looked through. Try again.');
}
