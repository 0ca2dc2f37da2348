import { AsyncLocalStorage } from 'node:async_hooks';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { Answerer, QuestionTime } from './connectionTypes';
import { INPUT_METHODS } from './inputRequired';
import { RequestClock } from './requestClock';

/** Progress makes a request last longer, up to this many times what it was given. */
const MOST_TIMES = 10;

/** A request that the server works on. */
export interface OpenRequest {
  /** Tells it to stop: when its time has run out, or when the caller wants so. */
  readonly signal: AbortSignal;
  readonly answerer: Answerer | undefined;
  /** The server has shown that it goes on: its time begins anew, up to a bound. */
  extend(): void;
}

/** A request, and what ends it. */
export interface BegunRequest {
  readonly request: OpenRequest;
  readonly end: () => void;
}

export interface RequestTime {
  readonly method: string;
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  readonly answerer: Answerer | undefined;
}

/**
 * The requests that a server works on, and the time it has for them. While it waits for an answer of ours to a question
 * of its own, none of them runs out: a person may take longer than any of them.
 */
export class OpenRequests implements QuestionTime, Disposable {
  private readonly time: RequestClock;
  /** Not aborted, and nobody listens any more. A fresh signal costs Node more than the rest of a small call. */
  private readonly spare: AbortController[] = [];
  /** Those that may lead to a question. */
  private readonly askable = new Set<OpenRequest>();
  /** Stateless era: the request whose result held a question, by the question's signal. */
  private readonly causes = new WeakMap<AbortSignal, OpenRequest>();
  /** Streamable HTTP: the request on whose stream a question comes, which is read where the request was sent. */
  private readonly sending = new AsyncLocalStorage<OpenRequest>();
  private closing: AbortController | undefined;

  constructor(clock: Clock) {
    this.time = new RequestClock(clock);
  }

  /** A request is sent; to be ended when it is over, whatever its outcome. */
  begin({ method, ms, signal, answerer }: RequestTime): BegunRequest {
    const stop = this.spare.pop() ?? new AbortController();
    const abandon = (): void => stop.abort(signal?.reason);
    const allowance = this.time.begin(ms, ms * MOST_TIMES, (total) =>
      stop.abort(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out', { timeout: total })),
    );
    if (signal?.aborted) {
      abandon();
    }
    signal?.addEventListener('abort', abandon, { once: true });
    const request: OpenRequest = { signal: stop.signal, answerer, extend: allowance.extend };
    const isAskable = INPUT_METHODS.has(method);
    if (isAskable) {
      this.askable.add(request);
    }
    const end = (): void => {
      allowance.end();
      signal?.removeEventListener('abort', abandon);
      if (!stop.signal.aborted) {
        this.spare.push(stop);
      }
      if (isAskable) {
        this.over(request);
      }
    };
    return { request, end };
  }

  /** Runs what sends a request and waits for its answer. */
  sendFor<T>(request: OpenRequest, send: () => Promise<T>): Promise<T> {
    // Only where it may matter: it slows down all that waits.
    return request.answerer ? this.sending.run(request, send) : send();
  }

  /** Something goes on beyond its request; until it is ended, the server may ask in relation to it. */
  beginWork(answerer: Answerer | undefined): BegunRequest {
    const stop = new AbortController();
    const request: OpenRequest = { signal: stop.signal, answerer, extend: () => undefined };
    this.askable.add(request);
    const end = (): void => {
      stop.abort();
      this.over(request);
    };
    return { request, end };
  }

  private over(request: OpenRequest): void {
    this.askable.delete(request);
    if (this.askable.size === 0) {
      this.closing?.abort();
      this.closing = undefined;
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

  /** Notes that the question with this signal came in the result of this request. */
  caused(question: AbortSignal, request: OpenRequest): void {
    this.causes.set(question, request);
  }

  answererOf(question: AbortSignal): Answerer | undefined {
    const cause = this.causes.get(question) ?? this.sending.getStore();
    const [first, ...others] = cause ? [cause] : this.askable;
    return others.every(({ answerer }) => answerer === first?.answerer) ? first?.answerer : undefined;
  }

  untilOver(): AbortSignal | undefined {
    if (this.askable.size === 0) {
      return undefined;
    }
    this.closing ??= new AbortController();
    return this.closing.signal;
  }

  dispose(): void {
    this.time.dispose();
  }
}
