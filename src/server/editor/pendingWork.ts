import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import { cancelled, PorticoError } from '../../base/errors';
import { quoted } from '../../base/quoted';
import { orAborted } from '../../base/orAborted';
import type { OfferContext } from './offerTypes';
import { answer } from './toolSchemas';

/** Clients end calls after a minute: none takes longer than this, in milliseconds. */
export const longestWaitMs = 40_000;
const maxPending = 100;

interface Pending {
  readonly client: string;
  readonly result: Promise<CallToolResult>;
  readonly stop: AbortController;
}

/** What waits for a person: a call that takes too long is answered with a handle, by which the result is asked for later. */
export class PendingWork implements Disposable {
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly clock: Clock) {}

  /** Until a handle is given, cancelling the call cancels the work. */
  async run(
    { client, signal }: OfferContext,
    work: (signal: AbortSignal) => Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    const stop = new AbortController();
    const abort = (): void => stop.abort(cancelled('The call'));
    signal.addEventListener('abort', abort, { once: true });
    const result = work(stop.signal);
    result.catch(() => undefined);
    try {
      const early = await this.within(result, longestWaitMs, signal);
      return early ?? this.keep({ client: client.id, result, stop });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** The result behind a handle, or the handle again where it is still to come. A result is given once. */
  async result(handle: string, { client, signal }: OfferContext, waitMs: number): Promise<CallToolResult> {
    const pending = this.pending.get(handle);
    if (pending?.client !== client.id) {
      throw new PorticoError('ARGUMENTS_INVALID', `handle: ${quoted(handle)} is unknown, or was answered before.`);
    }
    try {
      const result = await this.within(pending.result, waitMs, signal);
      if (result === undefined) {
        return waiting(handle);
      }
      this.pending.delete(handle);
      return result;
    } catch (error) {
      if (!signal.aborted) {
        this.pending.delete(handle);
      }
      throw error;
    }
  }

  dispose(): void {
    for (const { stop } of this.pending.values()) {
      stop.abort(cancelled('What was asked for'));
    }
    this.pending.clear();
  }

  private keep(pending: Pending): CallToolResult {
    const handle = randomUUID().slice(0, 8);
    this.pending.set(handle, pending);
    const [oldest, first] = this.pending.entries().next().value ?? [];
    if (this.pending.size > maxPending && oldest !== undefined) {
      first?.stop.abort(cancelled('What was asked for'));
      this.pending.delete(oldest);
    }
    return waiting(handle);
  }

  private async within(
    result: Promise<CallToolResult>,
    ms: number,
    signal: AbortSignal,
  ): Promise<CallToolResult | undefined> {
    let timer: Disposable | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = this.clock.after(ms, () => resolve(undefined));
    });
    try {
      return await orAborted(Promise.race([result, late]), signal, 'The call');
    } finally {
      timer?.dispose();
    }
  }
}

function waiting(handle: string): CallToolResult {
  return answer(
    { state: 'waiting', handle },
    `The person has not decided yet. Call get_result with handle ${handle} for what comes of it.`,
  );
}
