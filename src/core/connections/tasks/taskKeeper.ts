import type { CallToolResult } from '@modelcontextprotocol/client';
import { batch, effect, type Signal } from '@preact/signals-core';
import type { Clock } from '../../../base/clock';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { cancelled, PorticoError, toProblem } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import { orAborted } from '../../../base/orAborted';
import type { KeyValueStore } from '../../../base/storage';
import type { ServerDefinition } from '../../config/configTypes';
import type { CallRecord } from '../../policy/policyTypes';
import type { RequestOptions } from '../connectionTypes';
import type { Session } from '../sessionTypes';
import type { ServerTask, TaskDesk, TaskStart } from '../taskTypes';
import { readPages } from '../pagination';
import { isOver, readTask, type TaskReport } from './readTask';
import { TaskRun } from './taskRun';
import { type StoredTask, TaskStore } from './taskStore';

/** Ended tasks that stay listed, so that their results can be opened. */
const MOST_ENDED = 20;
/** Tasks that were not begun here, of one server. */
const MOST_STRANGE = 20;

/** A server as tasks need it. What is read here is followed, where it is read in an effect. */
export interface TaskServer {
  readonly definition: ServerDefinition;
  readonly session: Session | undefined;
  lost(session: Session, error: unknown): void;
  /** It is not idle while a task goes on. */
  hold(): Disposable;
}

export interface TaskKeeperPorts {
  readonly tasks: Signal<readonly ServerTask[]>;
  readonly state: KeyValueStore;
  readonly clock: Clock;
  readonly log: Logger;
  server(id: string): TaskServer | undefined;
  /** Starts a server without asking anybody. */
  start(id: string): Promise<void>;
  callOf(id: string): CallRecord | undefined;
  /** Brings a call of before the reload back into the call log, where the outcome becomes its own. */
  resumeCall(call: CallRecord, outcome: Promise<CallToolResult>): Promise<unknown>;
}

interface Followed {
  readonly run: TaskRun;
  readonly outcome: Promise<CallToolResult>;
  readonly canCancel: boolean;
  /** Over before the server says so. */
  readonly abandon: (reason: PorticoError) => void;
  /** Outlives the window. */
  readonly isRemote: boolean;
}

interface Begin {
  readonly server: string;
  readonly tool: string;
  readonly report: TaskReport;
  readonly stored?: StoredTask;
  readonly isOurs?: boolean;
  /** The process's own, which the task does not outlive; nothing for a remote server. */
  readonly only?: Session;
  readonly info: Pick<StoredTask, 'era' | 'launchDigest'> & { readonly canCancel: boolean };
}

/** The tasks of all servers: follows each to its end, lists them, and takes those of remote servers up after a reload. */
export class TaskKeeper implements TaskDesk, Disposable {
  private readonly followed = new Map<string, Followed>();
  private readonly results = new Map<string, CallToolResult>();
  private readonly stored: TaskStore;

  constructor(private readonly ports: TaskKeeperPorts) {
    this.stored = new TaskStore(ports.state);
  }

  async follow(start: TaskStart, options: RequestOptions): Promise<CallToolResult> {
    const { server, tool, session } = start;
    const { key, launchDigest } = this.need(server).definition;
    const report = readTask(start.created);
    if (!report) {
      throw new PorticoError('REPLY_INVALID', `"${key}" made a task of ${tool}, but gave it no id. Try it again.`, {
        server: key,
      });
    }
    const { era, capabilities } = session.info;
    const isRemote = session.pid === undefined;
    const canCancel = era === 'stateless' || capabilities.tasks?.cancel !== undefined;
    const { outcome } = this.begin(
      { server, tool, report, info: { era, launchDigest, canCancel }, ...(isRemote ? {} : { only: session }) },
      options,
    );
    const id = report.id;
    if (isRemote) {
      await this.remember(start, report, launchDigest, options.call);
    }
    const what = `${tool} on "${key}"`;
    try {
      return await orAborted(outcome, options.signal, what);
    } catch (error) {
      if (options.signal?.aborted) {
        this.cancel(server, id).catch((cause: unknown) => {
          this.ports.log.warn(`The task of ${what} could not be cancelled: ${toProblem(cause).message}`);
          this.followed.get(keyOf(server, id))?.abandon(cancelled(what));
        });
        throw cancelled(what);
      }
      throw error;
    }
  }

  /** Asks the server to stop it. Where it cannot or does not at once, nobody waits for it any longer. */
  async cancel(server: string, id: string): Promise<void> {
    const followed = this.followed.get(keyOf(server, id));
    if (!followed) {
      return;
    }
    if (followed.canCancel) {
      await followed.run.cancel();
    }
    if (!followed.run.isOver) {
      followed.abandon(cancelled(`The task at "${this.need(server).definition.key}"`));
    }
  }

  /** Lets it go on without anybody who waits. */
  keep(server: string, id: string): void {
    this.change(server, id, { background: true });
  }

  result(server: string, id: string): CallToolResult | undefined {
    return this.results.get(keyOf(server, id));
  }

  /** A notification of a server about one of its tasks. */
  told(server: string, params: unknown): void {
    const report = readTask(params);
    if (report) {
      this.followed.get(keyOf(server, report.id))?.run.told(report);
    }
  }

  /** Takes up what went on when the window closed. */
  resume(): void {
    for (const stored of this.stored.all()) {
      const { server, id, tool, era, launchDigest, call } = stored;
      const target = this.ports.server(server);
      if (target?.definition.launchDigest !== launchDigest) {
        this.forget(stored);
        continue;
      }
      const report: TaskReport = { ...stored.report, raw: {} };
      const { outcome } = this.begin(
        { server, tool, report, stored, info: { era, launchDigest, canCancel: true } },
        {},
      );
      this.keep(server, id);
      const whole = call ? this.ports.resumeCall(call, outcome) : outcome;
      whole.catch((error: unknown) => this.ports.log.info(`${tool}: ${toProblem(error).message}`));
      this.ports.start(server).catch((error: unknown) => this.ports.log.warn(toProblem(error).message));
    }
  }

  /** Lists what goes on at a remote server without having been begun here: in another window, or before a crash. */
  async look(server: string): Promise<void> {
    const { definition, session } = this.need(server);
    if (!session || session.pid !== undefined || session.info.era !== 'session') {
      return;
    }
    const { launchDigest } = definition;
    const canCancel = session.info.capabilities.tasks?.cancel !== undefined;
    const fetchPage = (cursor?: string) => session.request('tasks/list', cursor === undefined ? {} : { cursor }, {});
    const { entries } = await readPages('tasks', fetchPage, { emptyIsCursor: false });
    const strange = entries
      .flatMap((entry) => readTask(entry) ?? [])
      .filter(({ id, status }) => !isOver(status) && !this.followed.has(keyOf(server, id)));
    for (const report of strange.slice(-MOST_STRANGE)) {
      const tool = `task ${report.id}`;
      this.begin({ server, tool, report, isOurs: false, info: { era: 'session', launchDigest, canCancel } }, {});
      this.keep(server, report.id);
    }
  }

  /** The window closes: what outlives it is left as it is. */
  dispose(): void {
    for (const [key, { isRemote, abandon }] of this.followed) {
      if (isRemote) {
        this.followed.delete(key);
        abandon(
          new PorticoError('CONNECTION_LOST', 'The window was closed; the task goes on at its server.', {
            show: false,
          }),
        );
      }
    }
  }

  private begin({ server, tool, report, stored, isOurs = true, only, info }: Begin, options: RequestOptions): Followed {
    const { clock, log } = this.ports;
    const { key } = this.need(server).definition;
    const entry = keyOf(server, report.id);
    const store = new DisposableStore();
    const stop = new AbortController();
    const { onProgress } = options;
    let updates = 0;
    const onReport = (next: TaskReport): void => {
      this.report(server, next);
      if (next.message !== undefined) {
        updates += 1;
        onProgress?.({ progress: updates, message: next.message });
      }
    };
    const run = new TaskRun(report, {
      server: key,
      tool,
      era: info.era,
      clock,
      isOurs,
      answerer: options.answerer,
      signal: stop.signal,
      session: () => (only ? Promise.resolve(only) : this.remoteSession(server, info.launchDigest, stop.signal)),
      lost: (session, error) => this.ports.server(server)?.lost(session, error),
      onReport,
    });
    const held = this.ports.server(server)?.hold();
    store.defer(() => held?.dispose());
    void only?.ended.then((reason) => stop.abort(reason));
    const now = clock.now();
    this.list({
      server,
      id: report.id,
      tool,
      status: report.status,
      createdAt: stored?.createdAt ?? now,
      updatedAt: now,
      background: false,
      ...(report.message === undefined ? {} : { statusMessage: report.message }),
      ...(report.ttlMs === undefined ? {} : { ttlMs: report.ttlMs }),
      ...((stored?.call?.id ?? options.call) === undefined ? {} : { call: stored?.call?.id ?? options.call }),
    });
    options.onTask?.({ server, id: report.id });
    onReport(report);
    log.info(`${tool} goes on as a task of "${key}".`);
    const outcome = run.result().then(
      (result) => {
        this.results.set(entry, result);
        this.ended(entry, server, report.id, { status: result.isError ? 'failed' : 'completed' });
        return result;
      },
      (error: unknown) => {
        const status = PorticoError.is(error, 'CANCELLED') ? 'cancelled' : 'failed';
        this.ended(entry, server, report.id, { status, problem: toProblem(error) });
        throw error;
      },
    );
    outcome.finally(() => store.dispose()).catch(() => undefined);
    const followed: Followed = {
      run,
      outcome,
      canCancel: info.canCancel,
      abandon: (reason) => stop.abort(reason),
      isRemote: only === undefined,
    };
    this.followed.set(entry, followed);
    return followed;
  }

  /** Waits for the server to be there; a task is not asked for under another address. */
  private async remoteSession(server: string, launchDigest: string, signal: AbortSignal): Promise<Session> {
    let stop = (): void => undefined;
    const there = new Promise<Session>((resolve, reject) => {
      stop = effect(() => {
        const target = this.ports.server(server);
        if (target?.definition.launchDigest !== launchDigest) {
          reject(
            new PorticoError('TASK_LOST', 'The configuration of the server changed, so its task is left to itself.'),
          );
        } else if (target.session) {
          resolve(target.session);
        }
      });
    });
    try {
      return await orAborted(there, signal, 'The task');
    } finally {
      stop();
    }
  }

  private async remember(
    { server, tool, session }: TaskStart,
    report: TaskReport,
    launchDigest: string,
    call?: string,
  ) {
    const { raw: _raw, ...kept } = report;
    const record = call === undefined ? undefined : this.ports.callOf(call);
    await this.stored.add({
      server,
      id: report.id,
      tool,
      launchDigest,
      era: session.info.era,
      createdAt: this.ports.clock.now(),
      report: kept,
      ...(record ? { call: record } : {}),
    });
  }

  private forget(task: { readonly server: string; readonly id: string }): void {
    this.stored
      .remove(task)
      .catch((error: unknown) => this.ports.log.error('The open tasks could not be kept.', error));
  }

  private ended(entry: string, server: string, id: string, change: Partial<ServerTask>): void {
    // Not there any more when the window closes: it goes on then.
    if (this.followed.delete(entry)) {
      this.forget({ server, id });
      this.change(server, id, change);
    }
  }

  private report(server: string, { id, status, message, ttlMs }: TaskReport): void {
    this.change(server, id, {
      // The result is not there yet.
      ...(status === 'completed' || status === 'failed' ? {} : { status }),
      ...(message === undefined ? {} : { statusMessage: message }),
      ...(ttlMs === undefined ? {} : { ttlMs }),
    });
  }

  private change(server: string, id: string, change: Partial<ServerTask>): void {
    const { tasks, clock } = this.ports;
    tasks.value = tasks
      .peek()
      .map((task) =>
        task.server === server && task.id === id ? { ...task, ...change, updatedAt: clock.now() } : task,
      );
  }

  private list(task: ServerTask): void {
    const { tasks } = this.ports;
    const others = tasks.peek().filter(({ server, id }) => server !== task.server || id !== task.id);
    const ended = others.filter(({ server, id }) => !this.followed.has(keyOf(server, id)));
    const dropped = new Set(ended.slice(0, Math.max(0, ended.length - MOST_ENDED)));
    batch(() => {
      for (const { server, id } of dropped) {
        this.results.delete(keyOf(server, id));
      }
      tasks.value = [...others.filter((other) => !dropped.has(other)), task];
    });
  }

  private need(server: string): TaskServer {
    const target = this.ports.server(server);
    if (!target) {
      throw new PorticoError('SERVER_UNKNOWN', `There is no server "${server}".`, { server });
    }
    return target;
  }
}

function keyOf(server: string, id: string): string {
  return `${server}\n${id}`;
}
