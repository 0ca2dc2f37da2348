import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { Disposable } from '../../base/disposable';
import { cancelled, PorticoError, type PorticoErrorCode, toProblem } from '../../base/errors';
import { orAborted } from '../../base/orAborted';
import { Sequencer } from '../../base/sequencer';
import type { ServerDefinition } from '../config/configTypes';
import { SignInRequired } from './auth/signInRequired';
import type { ConnectionDependencies } from './connectionDependencies';
import type { ConnectionTuning } from './connectionTuning';
import type { ConnectionState, ListKind, RequestOptions, StartOptions } from './connectionTypes';
import { launchLine } from './launchLine';
import type { Opening } from './opening';
import { mayInstall } from './packageRunner';
import type { RestartPolicy } from './restartPolicy';
import { tooSlow, wentDownTooOften } from './lifecycleFailures';
import { whileReconnecting } from './whileReconnecting';
import type { ProcessOutput, Session } from './sessionTypes';

export interface LifecycleEvents {
  /** Reads the lists of a session that has just shaken hands, those that come in time; rejects where the session ended meanwhile. */
  firstLists(session: Session, stop: AbortSignal, withinMs?: number): Promise<void>;
  listChanged(kinds: readonly ListKind[]): void;
  resourceUpdated(uri: string): void;
}

/** A start under way, shared by all who want one. */
interface SharedStart {
  readonly interactive: boolean;
  readonly abort: AbortController;
  readonly place: { urgent: boolean };
  readonly done: Promise<void>;
}

type Stage = Extract<ConnectionState, { kind: 'starting' }>['stage'];

/** An interactive start may succeed where one that must not ask has failed with these. */
const ASKING_HELPS: readonly PorticoErrorCode[] = ['NOT_APPROVED', 'INPUT_MISSING', 'UNAUTHORIZED'];
/** Trying again changes nothing about these. */
const FINAL: readonly PorticoErrorCode[] = [
  ...ASKING_HELPS,
  'ACCESS_DENIED',
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
/** A start that takes longer waits for something else than this machine, and keeps nobody from starting. */
const PLACE_MS = 5_000;
/** A first start that has to fetch a package gets so many times as long. */
const INSTALL_TIMES = 6;
/** So much of a start's time is left for the lists, however late the handshake comes. */
const LISTS_SHARE = 0.1;
/** A server may want more in the middle of a start, or move to another authorization server. */
const MOST_SIGN_INS = 2;
/** The life of one server: the only writer of its state. Starts and stops run one after another. */
export class Lifecycle implements Disposable {
  private readonly current = signal<ConnectionState>({ kind: 'stopped' });
  private readonly steps = new Sequencer();
  private open: Session | undefined;
  private readySince = 0;
  private starting: SharedStart | undefined;
  private retry: Disposable | undefined;
  private restarts: RestartPolicy;
  /** On its way, be it for a start that has given up waiting. */
  private opening: Opening | undefined;
  private output: ProcessOutput | undefined;
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
    if (options.forUse && !this.starting && this.dependencies.limits.start === 'manual') {
      const { key } = this.definition;
      throw new PorticoError(
        'SERVER_OFF',
        `"${key}" is not running, and it is started by hand alone ("manual"). Start it in the Servers view.`,
        { server: key },
      );
    }
    const shared = this.starting ?? this.begin(options);
    shared.place.urgent ||= options.urgent ?? false;
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
    const place = { urgent: options.urgent ?? false };
    const done = this.steps
      .run(() => this.attempt(options, abort, place))
      .finally(() => {
        if (this.starting?.abort === abort) {
          this.starting = undefined;
        }
      });
    // Whoever waits is told; a restart in the background has shown its failure as state.
    done.catch(() => undefined);
    this.starting = { interactive: options.interactive, abort, place, done };
    return this.starting;
  }

  private async attempt(options: StartOptions, abort: AbortController, place: SharedStart['place']): Promise<void> {
    if (this.open) {
      return;
    }
    try {
      abort.signal.throwIfAborted();
      const { gate } = this.dependencies;
      await orAborted(gate.allow(this.definition, { ...options, signal: abort.signal }), abort.signal, '');
      this.stage('queued');
      for (let signIns = 0; !this.open; signIns += 1) {
        await this.whenItsTurn(options, abort, place).catch((error: unknown) =>
          this.signIn(error, options.interactive && signIns < MOST_SIGN_INS, abort.signal),
        );
      }
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** A start that was refused for want of a sign-in is tried again after it. */
  private async signIn(refusal: unknown, mayAsk: boolean, stop: AbortSignal): Promise<void> {
    const { auth } = this.dependencies;
    if (!mayAsk || !auth || !(refusal instanceof SignInRequired)) {
      throw refusal;
    }
    this.stage('signingIn');
    await orAborted((await auth()).signInToUse(this.definition, stop), stop, '');
  }

  private whenItsTurn(options: StartOptions, abort: AbortController, place: SharedStart['place']): Promise<void> {
    const { starts, clock } = this.dependencies;
    let begun = false;
    return new Promise((resolve, reject) => {
      abort.signal.addEventListener('abort', () => {
        if (!begun) {
          reject(abort.signal.reason);
        }
      });
      starts
        .run(async (leave) => {
          begun = true;
          abort.signal.throwIfAborted();
          const slow = clock.after(PLACE_MS, leave);
          try {
            await this.launch(options, abort);
          } finally {
            slow.dispose();
          }
        }, place)
        .then(resolve, reject);
    });
  }

  private async launch(options: StartOptions, abort: AbortController): Promise<void> {
    if (options.interactive && !options.forUse) {
      // Who starts it by hand wants a new process, and not to wait on for one that hangs.
      await this.endOpening(cancelled(`The start of "${this.definition.key}"`));
    }
    const opening = (this.opening ??= await this.beginOpening(options, abort.signal));
    const slow = new AbortController();
    const { startMs } = this;
    const { clock } = this.dependencies;
    const begun = clock.now();
    const timer = clock.after(startMs, () => slow.abort(this.tooSlow()));
    try {
      const session = await orAborted(opening.session, AbortSignal.any([abort.signal, slow.signal]), '');
      timer.dispose();
      const left = Math.max(begun + startMs - clock.now(), startMs * LISTS_SHARE);
      await orAborted(this.take(opening, session, left), abort.signal, '');
    } catch (error) {
      if (slow.signal.aborted && !abort.signal.aborted) {
        void this.takeLate(opening);
      } else {
        await this.endOpening(error);
      }
      throw error;
    } finally {
      timer.dispose();
    }
  }

  private async beginOpening(options: StartOptions, stop: AbortSignal): Promise<Opening> {
    const { resolve, clock, log } = this.dependencies;
    this.output = undefined;
    this.stage('resolving');
    const launch = await orAborted(resolve(this.definition, options.interactive), stop, '');
    this.stage('launching');
    const [{ openSession }, { Opening }] = await orAborted(
      Promise.all([import('./session'), import('./opening')]),
      stop,
      '',
    );
    const { stdinMs, terminateMs } = this.tuning.graces;
    const installs = this.mayInstall;
    const open = async (signal: AbortSignal): Promise<Session> => {
      const session: Session = await openSession(launch, {
        ...this.dependencies,
        server: this.definition,
        tuning: this.tuning,
        signal,
        onStage: (stage) => this.stage(installs && stage === 'connecting' ? 'installing' : stage),
        onOutput: (output) => {
          this.output = output;
        },
        onListChanged: (kinds) => this.events.listChanged(kinds),
        onResourceUpdated: (uri) => this.events.resourceUpdated(uri),
        onLost: (error) => this.lost(session, error),
      });
      return session;
    };
    return new Opening(open, stdinMs + terminateMs + TIDY_MS, clock, log);
  }

  /** Whether this looks like the first start of a package that has to be fetched. */
  private get mayInstall(): boolean {
    const { launch, launchDigest } = this.definition;
    return mayInstall(launch) && this.dependencies.eras.get(launchDigest) === undefined;
  }

  /** How long a start is waited for: longer where a package may have to come first, unless the entry says how long. */
  private get startMs(): number {
    const { startMs } = this.dependencies.limits;
    return this.mayInstall && this.definition.startMs === undefined ? startMs * INSTALL_TIMES : startMs;
  }

  private async take(opening: Opening, session: Session, withinMs?: number): Promise<void> {
    await orAborted(this.events.firstLists(session, opening.signal, withinMs), opening.signal, '');
    this.opening = undefined;
    this.ready(session);
  }

  /** Nobody waits any more; the server is used all the same when it comes within some more time. */
  private async takeLate(opening: Opening): Promise<void> {
    const { clock, log } = this.dependencies;
    const timer = clock.after(this.tuning.lateMs, () => void this.endOpening(this.tooSlow(), opening));
    try {
      const session = await opening.session;
      await this.steps.run(async () => {
        if (this.opening === opening) {
          await this.take(opening, session);
        }
      });
    } catch (error) {
      log.debug(`The late start failed: ${String(error)}`);
      await this.endOpening(error, opening);
    } finally {
      timer.dispose();
    }
  }

  /** Settles when nothing of it is left. */
  private async endOpening(reason: unknown, which = this.opening): Promise<void> {
    if (which !== undefined && this.opening === which) {
      this.opening = undefined;
      await which.end(reason);
    }
  }

  private ready(session: Session): void {
    const { log, clock } = this.dependencies;
    const { info, pid } = session;
    this.retry?.dispose();
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
    this.dependencies.log.warn(reason.message);
    if (PorticoError.is(reason, 'MESSAGE_TOO_LARGE')) {
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
      // To forget a session after a while is no crash.
      this.restarts = this.tuning.restarts;
    }
    this.reconnect(error, this.restarts.attempt === 0);
  }

  /** The server wants a sign-in: what is open is of no use until then. */
  refused(session: Session, error: SignInRequired): void {
    if (this.open === session) {
      this.open = undefined;
      this.show(error);
      this.close(session, true);
    }
  }

  private reconnect(error: unknown, atOnce: boolean): void {
    const { policy, delay } = this.restarts.ended(this.dependencies.clock.now());
    const { message } = toProblem(error);
    this.restarts = policy;
    if (delay === undefined || this.disposed) {
      this.show(wentDownTooOften(this.definition.key, policy, message, this.stderr));
      return;
    }
    this.current.value = {
      kind: 'reconnecting',
      attempt: policy.attempt,
      of: policy.attempts,
      reason: message,
    };
    this.retry = this.dependencies.clock.after(atOnce ? 0 : delay, () => void this.begin({ interactive: false }));
  }

  private stage(stage: Stage): void {
    const { value } = this.current;
    if (!this.starting || value.kind === 'reconnecting' || (value.kind === 'starting' && value.stage === stage)) {
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
    this.current.value = { kind: 'failed', problem, detail: [launchLine(this.definition.launch), ...this.stderr] };
  }

  private tooSlow(): PorticoError {
    return tooSlow(this.definition, this.startMs, this.current.peek(), this.output);
  }

  private get stderr(): readonly string[] {
    return this.output?.stderrLines ?? [];
  }

  /** A session for a request: the one in use, or a started one; waits while reconnecting. */
  async sessionFor(options: RequestOptions): Promise<Session> {
    const { key } = this.definition;
    if (this.current.peek().kind === 'reconnecting') {
      const { clock, limits } = this.dependencies;
      await whileReconnecting(
        this.current,
        key,
        { ...options, timeoutMs: options.timeoutMs ?? limits.requestMs },
        clock,
      );
    } else {
      await this.start({
        interactive: options.interactive ?? false,
        urgent: true,
        forUse: true,
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

  stop(reason?: PorticoError): Promise<void> {
    const stopped = cancelled(`The start of "${this.definition.key}"`);
    this.starting?.abort.abort(stopped);
    this.starting = undefined;
    this.retry?.dispose();
    return this.steps.run(async () => {
      this.retry?.dispose();
      await this.endOpening(stopped);
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
