import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { QuestionTime } from './connectionTypes';
import { RequestClock } from './requestClock';

/** What a server may ask the person in relation to (spec: 2026-07-28 basic/patterns/mrtr, supported requests). */
const ASKABLE: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/**
 * The requests that a server works on, and the time it has for them. While it waits for an answer of ours to a question
 * of its own, none of them runs out: a person may take longer than any of them.
 */
export class OpenRequests implements QuestionTime, Disposable {
  private readonly time: RequestClock;
  /** Not aborted, and nobody listens any more. A fresh signal costs Node more than the rest of a small call. */
  private readonly spare: AbortController[] = [];
  private askable = 0;
  private closing: AbortController | undefined;

  constructor(clock: Clock) {
    this.time = new RequestClock(clock);
  }

  /** Sends a request with a signal that tells it to stop: when its `ms` have run out, or when the caller wants so. */
  async run<T>(
    method: string,
    ms: number,
    caller: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const stop = this.spare.pop() ?? new AbortController();
    const abandon = (): void => stop.abort(caller?.reason);
    const end = this.time.begin(ms, () =>
      stop.abort(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out', { timeout: ms })),
    );
    if (caller?.aborted) {
      abandon();
    }
    caller?.addEventListener('abort', abandon, { once: true });
    const askable = ASKABLE.has(method);
    this.askable += askable ? 1 : 0;
    try {
      return await send(stop.signal);
    } finally {
      end();
      caller?.removeEventListener('abort', abandon);
      if (!stop.signal.aborted) {
        this.spare.push(stop);
      }
      this.askable -= askable ? 1 : 0;
      if (this.askable === 0) {
        this.closing?.abort();
        this.closing = undefined;
      }
    }
  }

  /** Runs the answer to a question of the server. */
  async answering<T>(answer: () => Promise<T>): Promise<T> {
    const resume = this.time.pause();
    try {
      return await answer();
    } finally {
      resume();
    }
  }

  untilOver(): AbortSignal | undefined {
    if (this.askable === 0) {
      return undefined;
    }
    this.closing ??= new AbortController();
    return this.closing.signal;
  }

  dispose(): void {
    this.time.dispose();
  }
}
