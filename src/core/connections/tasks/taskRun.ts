import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { isObject } from '../../../base/jsonObject';
import type { Answerer, Era } from '../connectionTypes';
import { MOST_ROUNDS } from '../inputRequired';
import { shortText } from '../../../base/plainText';
import type { Fields } from '../readEntries';
import { isToolResult } from '../readToolResult';
import type { Session, Work } from '../sessionTypes';
import { Doorbell } from './doorbell';
import { isOver, readTask, type TaskReport } from './readTask';

/** How long a server is left alone between two polls: what it says, within these; the first where it says nothing. */
const POLL_MS = 1_000;
const SHORTEST_POLL_MS = 500;
const LONGEST_POLL_MS = 60_000;
/** Polls that may fail one after another, ever more slowly: some twenty minutes. */
const MOST_FAILURES = 25;
const MOST_ODD = 3;
/** A request that waits for the end of the task is sent anew after this. */
const LONG_MS = 3_600_000;

export interface TaskPorts {
  /** The key of the server, as people read it. */
  readonly server: string;
  readonly tool: string;
  readonly era: Era;
  readonly clock: Clock;
  /** Begun here: its questions are answered, by the caller where it wants to. */
  readonly isOurs: boolean;
  readonly answerer: Answerer | undefined;
  /** Ends the run; the task itself goes on. */
  readonly signal: AbortSignal;
  /** The session to ask in, as soon as there is one; rejects where the task cannot have outlived the last one. */
  session(): Promise<Session>;
  /** The server has forgotten this session. */
  lost(session: Session, error: unknown): void;
  onReport(report: TaskReport): void;
}

/** Follows one task to its end: polls it, lets its questions be answered, and gets its result. */
export class TaskRun {
  private readonly bell: Doorbell;
  /** Session era: the request that waits for the end, on whose stream the server may ask. */
  private waiting: Promise<void> | undefined;
  /** How often it failed in this session, and the time until it is sent again. */
  private failures = 0;
  private pause: Disposable | undefined;
  private outcome: { readonly result: unknown } | undefined;
  /** Stateless era: the questions that have been taken up; a key is never used twice. */
  private readonly taken = new Set<string>();
  private rounds = 0;
  /** A question that cannot be answered: the task would wait for ever. */
  private unanswered: { readonly error: unknown } | undefined;
  private work: { readonly session: Session; readonly open: Work } | undefined;
  private timer: Disposable | undefined;
  private isDue = false;

  constructor(
    private report: TaskReport,
    private readonly ports: TaskPorts,
  ) {
    this.bell = new Doorbell(ports.clock, ports.signal);
  }

  /** The result as the call would have got it. Rejects with TASK_LOST, CANCELLED, REPLY_INVALID, or the call's own error. */
  async result(): Promise<CallToolResult> {
    try {
      this.pollLater();
      while (!isOver(this.report.status)) {
        if (this.ports.isOurs) {
          await this.takeQuestions(await this.begin());
        }
        await this.bell.rung(LONGEST_POLL_MS);
        if (this.outcome) {
          return this.read(this.outcome.result);
        }
        if (this.unanswered) {
          throw this.unanswered.error;
        }
        if (!isOver(this.report.status) && this.isDue) {
          this.take(await this.poll());
          this.pollLater();
        }
      }
      return await this.end();
    } finally {
      this.timer?.dispose();
      this.pause?.dispose();
      this.work?.open.dispose();
    }
  }

  get isOver(): boolean {
    return isOver(this.report.status);
  }

  /** The server tells of the task by itself. */
  told(report: TaskReport): void {
    if (!isOver(this.report.status)) {
      this.take(report);
      this.bell.ring();
    }
  }

  /** Asks the server to stop it; the report that follows is the server's word, or that it has been told. */
  async cancel(): Promise<void> {
    const session = await this.ports.session();
    try {
      const reply = await session.request('tasks/cancel', { taskId: this.report.id }, {});
      const report = readTask(reply);
      this.take(report?.id === this.report.id ? report : await this.ask(session));
    } catch (error) {
      if (!isInvalidParams(error)) {
        throw error;
      }
      // It is over already, or gone; a poll tells which.
      this.take(await this.ask(session));
    }
    this.bell.ring();
  }

  /** Whatever rings before its time: a server that tells or asks all the time is not polled all the time. */
  private pollLater(): void {
    this.isDue = false;
    this.timer?.dispose();
    this.timer = this.ports.clock.after(pollMs(this.report), () => {
      this.isDue = true;
      this.bell.ring();
    });
  }

  private take(report: TaskReport): void {
    // What is over stays so, whatever the server says later.
    if (!isOver(this.report.status)) {
      this.report = report;
      this.ports.onReport(report);
    }
  }

  /** The server may ask while the task goes on, in each session anew. */
  private async begin(): Promise<Work> {
    const session = await this.ports.session();
    if (this.work?.session !== session) {
      this.work?.open.dispose();
      this.work = { session, open: session.beginWork(this.report.id, this.ports.answerer) };
      this.pause?.dispose();
      this.failures = 0;
      this.waiting = undefined;
    }
    return this.work.open;
  }

  private async takeQuestions(work: Work): Promise<void> {
    if (this.report.status !== 'input_required') {
      return;
    }
    if (this.ports.era === 'session') {
      this.waiting ??= this.awaitEnd(await this.ports.session());
      return;
    }
    const asked = this.report.raw['inputRequests'];
    const fresh = Object.entries(isObject(asked) ? asked : {}).filter(([key]) => !this.taken.has(key));
    if (fresh.length > 0) {
      for (const [key] of fresh) {
        this.taken.add(key);
      }
      this.rounds += 1;
      if (this.rounds > MOST_ROUNDS) {
        throw this.endless();
      }
      void this.answer(work, Object.fromEntries(fresh));
    }
  }

  private async answer(work: Work, inputRequests: Fields): Promise<void> {
    try {
      const inputResponses = await work.answer(inputRequests, this.ports.signal);
      const session = await this.ports.session();
      await session.request('tasks/update', { taskId: this.report.id, inputResponses }, { signal: this.ports.signal });
    } catch (error) {
      this.unanswered = { error };
    }
    this.bell.ring();
  }

  private async awaitEnd(session: Session): Promise<void> {
    try {
      this.outcome = { result: await this.askResult(session) };
      this.bell.ring();
    } catch {
      if (this.work?.session === session) {
        // A poll tells whether this is how the task ended; else it is asked again, ever later.
        this.failures += 1;
        this.pause = this.ports.clock.after(slower(pollMs(this.report), this.failures), () => {
          this.waiting = undefined;
          this.bell.ring();
        });
      }
    }
  }

  private askResult(session: Session): Promise<unknown> {
    const { answerer, signal } = this.ports;
    const options = { signal, timeoutMs: LONG_MS, ...(answerer ? { answerer } : {}) };
    return session.request('tasks/result', { taskId: this.report.id }, options);
  }

  private async poll(): Promise<TaskReport> {
    for (let failures = 1; ; failures += 1) {
      const session = await this.ports.session();
      try {
        return await this.ask(session);
      } catch (error) {
        this.ports.signal.throwIfAborted();
        if (isFinal(error) || failures >= (PorticoError.is(error, 'REPLY_INVALID') ? MOST_ODD : MOST_FAILURES)) {
          throw error;
        }
        if (session.isLost(error)) {
          this.ports.lost(session, error);
        }
      }
      await this.bell.rung(slower(pollMs(this.report), failures));
    }
  }

  private async ask(session: Session): Promise<TaskReport> {
    const { server, tool, signal } = this.ports;
    let reply: unknown;
    try {
      reply = await session.request('tasks/get', { taskId: this.report.id }, { signal });
    } catch (error) {
      throw isInvalidParams(error) ? this.gone(error) : error;
    }
    const report = readTask(reply);
    if (report?.id !== this.report.id) {
      throw new PorticoError('REPLY_INVALID', `"${server}" does not say how the task of ${tool} is. Try it again.`, {
        server,
      });
    }
    return report;
  }

  private gone(cause: unknown): PorticoError {
    const { server, tool } = this.ports;
    return new PorticoError(
      'TASK_LOST',
      `"${server}" no longer knows the task of ${tool}: it was kept too short, or the server was restarted. Run the tool again.`,
      { server, cause },
    );
  }

  private endless(): PorticoError {
    const { server, tool } = this.ports;
    return new PorticoError(
      'REPLY_INVALID',
      `"${server}" still wanted input for the task of ${tool} after ${MOST_ROUNDS} rounds, so it was given up. Ask its author to mend it.`,
      { server },
    );
  }

  private async end(): Promise<CallToolResult> {
    const { server, tool, era } = this.ports;
    if (era === 'stateless' && isWithoutEnd(this.report)) {
      const whole = await this.poll();
      this.report = isOver(whole.status) ? whole : this.report;
    }
    const { status, message, raw } = this.report;
    if (status === 'cancelled') {
      const why = message === undefined ? '' : ` It says: ${shortText(message)}`;
      throw new PorticoError('CANCELLED', `The task of ${tool} at "${server}" was cancelled.${why}`, { server });
    }
    if (era === 'session') {
      return this.read(await this.endOfSessionEra());
    }
    if (status === 'failed') {
      throw this.wireError(raw['error'], message);
    }
    return this.read(raw['result']);
  }

  private async endOfSessionEra(): Promise<unknown> {
    await this.waiting;
    if (this.outcome) {
      return this.outcome.result;
    }
    for (let failures = 1; ; failures += 1) {
      const session = await this.ports.session();
      try {
        return await this.askResult(session);
      } catch (error) {
        this.ports.signal.throwIfAborted();
        if (error instanceof ProtocolError || failures === MOST_FAILURES) {
          throw isInvalidParams(error) ? this.withoutResult(error) : error;
        }
        if (session.isLost(error)) {
          this.ports.lost(session, error);
        }
      }
      await this.bell.rung(slower(POLL_MS, failures));
    }
  }

  private withoutResult(cause: unknown): PorticoError {
    const { server, tool } = this.ports;
    const { status, message } = this.report;
    const why = message === undefined ? '' : ` It says: ${shortText(message)}`;
    return new PorticoError(
      'TASK_LOST',
      `"${server}" says that the task of ${tool} has ${status === 'failed' ? 'failed' : 'completed'}, but has no result of it.${why}`,
      { server, cause },
    );
  }

  private wireError(error: unknown, message: string | undefined): unknown {
    const { code, message: text, data } = isObject(error) ? error : {};
    return typeof code === 'number' && typeof text === 'string'
      ? ProtocolError.fromError(code, text, data)
      : this.withoutResult(message);
  }

  /** A result that is none is worth no call that looks done. */
  private read(result: unknown): CallToolResult {
    if (isToolResult(result)) {
      return result as unknown as CallToolResult;
    }
    throw this.withoutResult(undefined);
  }
}

function pollMs({ pollMs: wanted = POLL_MS }: TaskReport): number {
  return Math.min(Math.max(wanted, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}

function slower(ms: number, failures: number): number {
  return Math.min(ms * 2 ** failures, LONGEST_POLL_MS);
}

/** Over, but only `tasks/get` is sure to say how: what a call or a cancellation is answered with does not. */
function isWithoutEnd({ status, raw }: TaskReport): boolean {
  return status !== 'cancelled' && raw[status === 'failed' ? 'error' : 'result'] === undefined;
}

function isInvalidParams(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams;
}

function isFinal(error: unknown): boolean {
  return (
    PorticoError.is(error, 'TASK_LOST') ||
    (error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound)
  );
}
