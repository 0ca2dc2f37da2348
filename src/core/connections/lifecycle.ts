import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Backoff } from '../../base/backoff';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { cancelled, PorticoError, type PorticoErrorCode, toProblem } from '../../base/errors';
import { Sequencer } from '../../base/sequencer';
import type { ServerDefinition } from '../config/configTypes';
import type { ConnectionDependencies } from './connectionDependencies';
import type { ConnectionTuning } from './connectionTuning';
import type { ConnectionState, ListKind, RequestOptions, StartOptions } from './connectionTypes';
import { launchLine } from './launchLine';
import type { Session } from './sessionTypes';

export interface LifecycleEvents {
  /** Reads the lists of a session that has just shaken hands; rejects where the session ended meanwhile. */
  firstLists(session: Session, stop: AbortSignal): Promise<void>;
  listChanged(kinds: readonly ListKind[]): void;
  resourceUpdated(uri: string): void;
}

/** A start under way, shared by all who want one. */
interface SharedStart {
  readonly interactive: boolean;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** An interactive start may succeed where one that must not ask has failed with these. */
const ASKING_HELPS: readonly PorticoErrorCode[] = ['NOT_APPROVED', 'INPUT_MISSING', 'UNAUTHORIZED'];
/** Trying again changes nothing about these. */
const FINAL: readonly PorticoErrorCode[] = [
  ...ASKING_HELPS,
  'COMMAND_NOT_FOUND',
  'SPAWN_FAILED',
  'PROTOCOL_VERSION',
  'CONFIG_INVALID',
  'VARIABLE_MISSING',
  'RESTRICTED_MODE',
  'SERVER_OFF',
  'SERVER_IS_PORTICO',
];

/** Beyond the graces of a process: killing it, or ending a remote session. */
const TIDY_MS = 2_500;

/** The life of one server: the only writer of its state. Starts and stops run one after another. */
export class Lifecycle implements Disposable {
  private readonly current = signal<ConnectionState>({ kind: 'stopped' });
  private readonly steps = new Sequencer();
  private open: Session | undefined;
  private readySince = 0;
  private starting: SharedStart | undefined;
  private retry: Disposable | undefined;
  private restarts: Backoff;
  private detail: readonly string[] = [];
  private disposed = false;

  constructor(
    private readonly definition: ServerDefinition,
    private readonly dependencies: ConnectionDependencies,
    private readonly tuning: ConnectionTuning,
    private readonly events: LifecycleEvents,
  ) {
    this.restarts = tuning.restarts;
  }

  get state(): ReadonlySignal<ConnectionState> {
    return this.current;
  }

  /** The session in use; nothing unless ready. */
  get session(): Session | undefined {
    return this.open;
  }

  async start(options: StartOptions): Promise<void> {
    if (this.open) {
      return;
    }
    if (this.disposed) {
      throw cancelled(`The start of "${this.definition.key}"`);
    }
    const shared = this.starting ?? this.begin(options);
    try {
      await orAborted(shared.done, options.signal, `The start of "${this.definition.key}"`);
    } catch (error) {
      if (!options.interactive || shared.interactive || !PorticoError.is(error, ...ASKING_HELPS)) {
        throw error;
      }
      await this.start(options);
    }
  }

  private begin(options: StartOptions): SharedStart {
    this.retry?.dispose();
    const abort = new AbortController();
    const done = this.steps
      .run(() => this.attempt(options, abort))
      .finally(() => {
        if (this.starting?.abort === abort) {
          this.starting = undefined;
        }
      });
    // Whoever waits is told; a restart in the background has shown its failure as state.
    done.catch(() => undefined);
    this.starting = { interactive: options.interactive, abort, done };
    return this.starting;
  }

  private async attempt(options: StartOptions, abort: AbortController): Promise<void> {
    if (this.open) {
      return;
    }
    this.detail = [];
    try {
      abort.signal.throwIfAborted();
      const { gate } = this.dependencies;
      await orAborted(gate.allow(this.definition, { ...options, signal: abort.signal }), abort.signal, '');
      this.stage('queued');
      await this.whenItsTurn(options, abort);
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  private whenItsTurn(options: StartOptions, abort: AbortController): Promise<void> {
    let begun = false;
    return new Promise((resolve, reject) => {
      abort.signal.addEventListener('abort', () => {
        if (!begun) {
          reject(abort.signal.reason);
        }
      });
      this.dependencies.starts
        .run(async () => {
          begun = true;
          abort.signal.throwIfAborted();
          await this.launch(options, abort);
        }, options.urgent)
        .then(resolve, reject);
    });
  }

  private async launch(options: StartOptions, abort: AbortController): Promise<void> {
    const { resolve, limits, clock } = this.dependencies;
    this.stage('resolving');
    const launch = await orAborted(resolve(this.definition, options.interactive), abort.signal, '');
    const timer = clock.after(limits.startMs, () => abort.abort(this.tooSlow()));
    try {
      this.stage('launching');
      const { openSession } = await import('./session');
      let session: Session | undefined;
      const opening = openSession(launch, {
        ...this.dependencies,
        server: this.definition,
        tuning: this.tuning,
        signal: abort.signal,
        onStage: (stage) => this.stage(stage),
        onDetail: (lines) => {
          this.detail = lines;
        },
        onListChanged: (kinds) => this.events.listChanged(kinds),
        onResourceUpdated: (uri) => this.events.resourceUpdated(uri),
        onLost: (error) => {
          if (session) {
            this.lost(session, error);
          }
        },
      });
      session = await this.opened(opening, abort.signal);
      timer.dispose();
      try {
        await orAborted(this.events.firstLists(session, abort.signal), abort.signal, '');
      } catch (error) {
        await session.close();
        throw error;
      }
      this.ready(session);
    } finally {
      timer.dispose();
    }
  }

  /** Once aborted, an opening has this long to end what it has begun; whatever hangs then is left to itself. */
  private async opened(opening: Promise<Session>, stop: AbortSignal): Promise<Session> {
    const { clock, log } = this.dependencies;
    const { stdinMs, terminateMs } = this.tuning.graces;
    const waiting = new DisposableStore();
    const overdue = new Promise<never>((_resolve, reject) => {
      const giveUp = (): void => {
        waiting.add(clock.after(stdinMs + terminateMs + TIDY_MS, () => reject(stop.reason)));
      };
      stop.addEventListener('abort', giveUp, { once: true });
      waiting.defer(() => stop.removeEventListener('abort', giveUp));
    });
    try {
      return await Promise.race([opening, overdue]);
    } catch (error) {
      opening
        .then(
          (late) => late.close(),
          (cause: unknown) => log.debug(`The start failed: ${String(cause)}`),
        )
        .catch((cause: unknown) => log.error('The server could not be ended.', cause));
      throw error;
    } finally {
      waiting.dispose();
    }
  }

  private ready(session: Session): void {
    const { log, clock } = this.dependencies;
    const { info, pid } = session;
    this.open = session;
    this.readySince = clock.now();
    this.current.value = { kind: 'ready', info, ...(pid === undefined ? {} : { pid }) };
    log.info(`Ready: ${info.serverInfo.name} ${info.serverInfo.version}, MCP ${info.protocolVersion}.`);
    void session.ended.then((reason) => this.ended(session, reason));
  }

  private ended(session: Session, reason: PorticoError): void {
    if (this.open !== session) {
      return;
    }
    this.open = undefined;
    const { clock, log } = this.dependencies;
    log.warn(reason.message);
    const ran = clock.now() - this.readySince;
    if (ran >= this.tuning.forgiveMs) {
      this.restarts = this.tuning.restarts;
    }
    const hasProcess = session.pid !== undefined;
    if ((hasProcess && ran < this.tuning.stableMs) || PorticoError.is(reason, 'MESSAGE_TOO_LARGE')) {
      this.show(reason);
    } else {
      this.reconnect(reason, false);
    }
    this.close(session, false);
  }

  /** In the sequence, so that the next start waits until the old process is gone. */
  private close(session: Session, lost: boolean): void {
    this.steps
      .run(() => session.close(lost))
      .catch((error: unknown) => this.dependencies.log.error('The server could not be ended.', error));
  }

  /** The server has forgotten this session: opens a new one, at once the first time. */
  lost(session: Session, error: unknown): void {
    if (this.open !== session) {
      return;
    }
    this.open = undefined;
    this.close(session, true);
    const { clock } = this.dependencies;
    if (clock.now() - this.readySince >= this.tuning.stableMs) {
      this.restarts = this.tuning.restarts;
    }
    this.reconnect(error, this.restarts.attempt === 0);
  }

  private reconnect(error: unknown, atOnce: boolean): void {
    const { key } = this.definition;
    const next = this.restarts.next();
    const { message } = toProblem(error);
    if (!next || this.disposed) {
      const count = this.restarts.attempts;
      this.show(
        new PorticoError(
          'CONNECTION_LOST',
          `"${key}" was restarted ${count} times and ended each time. Start it by hand once the cause is gone. Last: ${message}`,
          { server: key },
        ),
      );
      return;
    }
    this.restarts = next.policy;
    this.current.value = {
      kind: 'reconnecting',
      attempt: next.policy.attempt,
      of: next.policy.attempts,
      reason: message,
    };
    this.retry = this.dependencies.clock.after(atOnce ? 0 : next.delay, () => void this.begin({ interactive: false }));
  }

  private stage(stage: 'queued' | 'resolving' | 'launching' | 'connecting'): void {
    const { value } = this.current;
    if (value.kind === 'reconnecting' || (value.kind === 'starting' && value.stage === stage)) {
      return;
    }
    const since = value.kind === 'starting' ? value.since : this.dependencies.clock.now();
    this.current.value = { kind: 'starting', since, stage };
  }

  private failed(error: unknown): void {
    const { kind } = this.current.peek();
    if (PorticoError.is(error, 'CANCELLED') || (kind === 'stopped' && PorticoError.is(error, ...FINAL))) {
      this.current.value = { kind: 'stopped' };
    } else if (kind === 'reconnecting' && !PorticoError.is(error, ...FINAL)) {
      this.reconnect(error, false);
    } else {
      this.show(error);
    }
  }

  private show(error: unknown): void {
    const problem = toProblem(error);
    const { log } = this.dependencies;
    log.error(problem.message);
    this.current.value = { kind: 'failed', problem, detail: [launchLine(this.definition.launch), ...this.detail] };
  }

  private tooSlow(): PorticoError {
    const { key } = this.definition;
    const state = this.current.peek();
    const seconds = this.dependencies.limits.startMs / 1_000;
    const what =
      state.kind === 'starting' && state.stage === 'launching'
        ? 'its process did not start'
        : 'it did not answer the handshake';
    return new PorticoError(
      'START_TIMEOUT',
      `"${key}" was not ready within ${seconds} s: ${what}. See its log, or raise portico.advanced.startTimeout.`,
      { server: key },
    );
  }

  /** A session for a request: the one in use, or a started one; waits while reconnecting. */
  async sessionFor(options: RequestOptions): Promise<Session> {
    const { key } = this.definition;
    if (this.current.peek().kind === 'reconnecting') {
      await this.whileReconnecting(options);
    } else {
      await this.start({
        interactive: options.interactive ?? false,
        urgent: true,
        ...(options.signal ? { signal: options.signal } : {}),
      });
    }
    if (this.open) {
      return this.open;
    }
    const state = this.current.peek();
    const reason = state.kind === 'failed' ? state.problem.message : `"${key}" is not running. Start it first.`;
    throw new PorticoError('CONNECTION_LOST', reason, { server: key });
  }

  private async whileReconnecting(options: RequestOptions): Promise<void> {
    const { clock, limits } = this.dependencies;
    const { key } = this.definition;
    let stop = (): void => undefined;
    let timer: Disposable | undefined;
    const over = new Promise<void>((resolve, reject) => {
      stop = effect(() => {
        if (this.current.value.kind !== 'reconnecting') {
          resolve();
        }
      });
      timer = clock.after(options.timeoutMs ?? limits.requestMs, () =>
        reject(new PorticoError('TIMEOUT', `"${key}" did not come back in time. See its log.`, { server: key })),
      );
    });
    try {
      await orAborted(over, options.signal, `The request to "${key}"`);
    } finally {
      stop();
      timer?.dispose();
    }
  }

  stop(reason?: PorticoError): Promise<void> {
    this.starting?.abort.abort(cancelled(`The start of "${this.definition.key}"`));
    this.starting = undefined;
    this.retry?.dispose();
    return this.steps.run(async () => {
      this.retry?.dispose();
      this.restarts = this.tuning.restarts;
      const session = this.open;
      this.open = undefined;
      try {
        await session?.close(false, reason);
      } finally {
        if (session) {
          this.dependencies.log.info('Stopped.');
        }
        this.current.value = { kind: 'stopped' };
      }
    });
  }

  dispose(): void {
    this.disposed = true;
    this.stop().catch((error: unknown) => this.dependencies.log.error('The server could not be ended.', error));
  }
}

/** The promise, unless the signal comes first; what was started goes on unheeded. `what` names a caller's own wait. */
async function orAborted<T>(promise: Promise<T>, stop: AbortSignal | undefined, what: string): Promise<T> {
  if (!stop) {
    return promise;
  }
  let abandon = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abandon = () => reject(PorticoError.is(stop.reason) ? stop.reason : cancelled(what));
  });
  stop.addEventListener('abort', abandon, { once: true });
  if (stop.aborted) {
    abandon();
  }
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop.removeEventListener('abort', abandon);
  }
}
