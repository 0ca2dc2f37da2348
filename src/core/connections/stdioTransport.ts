import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import spawn from 'cross-spawn';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import type { Logger } from '../../base/log';
import { TimeSlices } from '../../base/timeSlices';
import type { ResolvedLaunch } from '../config/configTypes';
import type { Trees } from './treeTypes';
import { LineIntake } from './lineIntake';
import { LineOutput } from './lineOutput';
import { LineReader } from './lineReader';
import { endTree, type Graces, type ProcessControl } from './processTree';
import { guardTree } from './reaper';
import { AnswerBacklog } from './answerBacklog';
import { HeldSource } from './heldSource';
import { AwaitedReplies } from './awaitedReplies';
import { readIncoming } from './readIncoming';
import type { LineContent } from './readMessages';
import { plainText } from '../../base/plainText';
import { quoteOf } from './readReply';
import { SecondQuota } from './secondQuota';
import { StderrTail } from './stderrTail';
import { StrayOutput } from './strayOutput';
import { exitError, type ProcessExit, refuseUnsafe, spawnError, tooLargeError, unreadError } from './stdioErrors';

export type StdioResolvedLaunch = Extract<ResolvedLaunch, { type: 'stdio' }>;

export interface StdioTransportOptions {
  /** The config key, for messages. */
  readonly server: string;
  readonly messageBytes: number;
  readonly graces: Graces;
  readonly control: ProcessControl;
  readonly clock: Clock;
  readonly log: Logger;
  /** Remembers the tree beyond the life of this host. */
  readonly trees?: Trees;
}

/** Output may still be in the pipe when the process is gone; a grandchild may hold the pipe open for ever. */
const DRAIN_MS = 250;
/** A process whose stdout has ended is about to end; its exit tells why. */
const EXIT_MS = 1_000;
/** How long an answer may follow a reply that does not say what it answers. */
const GUESS_MS = 500;
const STRAYS_LOGGED = 20;
/** Lines of stderr that are logged of each second. */
const STDERR_LOGGED = 200;

/** How cross-spawn finds the file that a command means on Windows; its types leave it out. */
const resolver = spawn as unknown as {
  _parse(command: string, args: string[], options: object): { readonly file?: string };
};

/**
 * One process and its pipe. The SDK's own transport joins its buffer anew at every chunk, probes the era on a second
 * process, knows neither exit code nor stderr, and ends the direct child alone.
 */
export class StdioTransport implements Transport {
  onmessage: ((message: JSONRPCMessage) => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onclose: (() => void) | undefined;

  /** Why the connection ended; set before `onclose`. */
  endReason: PorticoError | undefined;
  /** The same, where it ended by itself and not by `close`. */
  failure: PorticoError | undefined;
  private child: ChildProcess | undefined;
  private readonly guards = new DisposableStore();
  private ending: Promise<void> | undefined;
  private exit: ProcessExit = { code: null, signal: null };
  private readonly stray = new StrayOutput();
  private strays = 0;
  private readonly awaited: AwaitedReplies;
  /** A reply that names no request, before it is taken for the answer to the only one that waits. */
  private guess: Disposable | undefined;
  private lines: LineReader | undefined;
  private intake: LineIntake | undefined;
  private output: LineOutput | undefined;
  /** Settles when the connection has ended. */
  private readonly over: Promise<void>;
  private settleOver: () => void = () => undefined;
  private stderr: StderrTail | undefined;

  constructor(
    private readonly launch: StdioResolvedLaunch,
    private readonly options: StdioTransportOptions,
  ) {
    this.awaited = new AwaitedReplies(options.server);
    this.over = new Promise((resolve) => {
      this.settleOver = resolve;
    });
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get stderrLines(): readonly string[] {
    return this.stderr?.lines ?? [];
  }

  /** The last of stdout that was no message, for errors that would otherwise be unexplained. */
  get lastStray(): string | undefined {
    return this.stray.last;
  }

  /** What is wrong with its output, where that is known. */
  get strayReason(): string | undefined {
    return this.stray.reason(this.lines?.rest() ?? '');
  }

  get exitCode(): number | null {
    return this.exit.code;
  }

  /** Spawns; a second call is the SDK taking over the running process. */
  async start(): Promise<void> {
    if (this.child) {
      return;
    }
    const { command, args, env, cwd } = this.launch;
    const spawned = { command, cwd, env };
    if (process.platform === 'win32') {
      const { file } = resolver._parse(command, [...args], { env: { ...env }, cwd });
      refuseUnsafe(this.options.server, file, args);
    }
    let child: ChildProcess;
    try {
      child = spawn(command, [...args], {
        env: { ...env },
        cwd,
        stdio: 'pipe',
        shell: false,
        windowsHide: true,
        // A group of its own, so that what it starts ends with it.
        detached: process.platform !== 'win32',
      });
    } catch (error) {
      // Node refuses some texts, those with a NUL above all, before there is a process.
      throw await spawnError(this.options.server, error, spawned);
    }
    this.child = child;
    try {
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
        this.listen(child);
      });
    } catch (error) {
      throw await spawnError(this.options.server, error, spawned);
    }
    if (child.pid !== undefined) {
      this.guards.add(guardTree(child.pid));
      if (this.options.trees) {
        this.guards.add(this.options.trees.add(child.pid));
      }
    }
  }

  private listen(child: ChildProcess): void {
    const { server, messageBytes } = this.options;
    const { stdin, stdout } = child;
    if (stdin && stdout) {
      const source = new HeldSource(stdout);
      const answers = new AnswerBacklog(source.holder(), this.options.clock, () => this.fail(unreadError(server)));
      this.output = new LineOutput(stdin, answers);
      const intake = new LineIntake((content) => this.receive(content), source.holder(), new TimeSlices());
      const lines = new LineReader(
        messageBytes,
        (line) => intake.take(line),
        () => this.fail(tooLargeError(server, messageBytes)),
      );
      this.intake = intake;
      this.lines = lines;
      stdout.on('data', (chunk: Buffer) => intake.chunk(() => lines.push(chunk)));
      stdout.once('end', () => {
        intake.chunk(() => lines.end());
        this.finishWithin(EXIT_MS);
      });
    }
    if (child.stderr) {
      this.listenToStderr(child.stderr);
    }
    // EPIPE: it no longer reads, so it is ending; its exit tells why, where there is one.
    child.stdin?.once('error', () => this.finishWithin(EXIT_MS));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream?.on('error', (error) => this.options.log.debug(`pipe: ${error.message}`));
    }
    child.on('error', (error) => this.options.log.debug(`process: ${error.message}`));
    child.once('exit', (code, signal) => {
      this.exit = { code, signal };
      this.finishWithin(DRAIN_MS);
    });
    child.once('close', () => this.finishByExit());
  }

  private listenToStderr(stderr: Readable): void {
    const { log, clock } = this.options;
    const quota = this.guards.add(
      new SecondQuota(clock, STDERR_LOGGED, (left) => log.info(`stderr: … and ${left} more lines within a second`)),
    );
    const tail = new StderrTail((line) => {
      if (quota.take()) {
        log.info(`stderr: ${plainText(line).trimEnd()}`);
      }
    }, stderr);
    this.stderr = tail;
    stderr.on('data', (chunk: Buffer) => tail.push(chunk));
  }

  private receive({ messages, stray }: LineContent): void {
    if (stray !== '') {
      this.reportStray(stray, messages.length > 0);
    }
    for (const message of messages) {
      if (!this.endReason) {
        this.deliver(message);
      }
    }
  }

  private deliver(message: JSONRPCMessage): void {
    const claimed = this.awaited.claim(message);
    if (claimed === message) {
      this.onmessage?.(readIncoming(message, this.options.server));
    } else if (claimed && 'id' in claimed && !this.guess) {
      // An answer that names its request may follow after all: then this one was for nobody.
      this.guess = this.options.clock.after(GUESS_MS, () => {
        this.guess = undefined;
        if (this.awaited.isAwaited(claimed.id) && !this.endReason) {
          this.deliver(claimed);
        } else {
          this.noRequest(message);
        }
      });
    } else {
      this.noRequest(message);
    }
  }

  private noRequest(message: JSONRPCMessage): void {
    const quote = quoteOf(message);
    this.stray.addReply(quote);
    this.logStray(`a reply to no request: ${quote}`);
  }

  private reportStray(text: string, recovered: boolean): void {
    const shown = this.stray.add(text);
    this.logStray(recovered ? `glued to a message that was read anyway: ${shown}` : `not a message: ${shown}`);
  }

  private logStray(what: string): void {
    this.strays += 1;
    if (this.strays <= STRAYS_LOGGED) {
      this.options.log.info(`stdout, ${what}`);
    } else if (this.strays === STRAYS_LOGGED + 1) {
      this.options.log.info('stdout has more that is no message or answers none; it is not shown.');
    }
  }

  private finishWithin(ms: number): void {
    this.options.clock.after(ms, () => this.finishByExit());
  }

  /** After everything that came before the end. */
  private finishByExit(): void {
    const { busy } = this.intake ?? {};
    if (busy && !this.endReason) {
      void busy.then(() => this.finishWithin(DRAIN_MS));
      return;
    }
    this.fail(this.exitReason);
  }

  private get exitReason(): PorticoError {
    const closed = this.child?.stdin?.writable ? 'output' : 'input';
    return exitError(this.options.server, this.exit, closed, this.stderrLines, this.lastStray);
  }

  private fail(reason: PorticoError): void {
    if (!this.endReason) {
      this.failure = reason;
      this.finish(reason);
    }
  }

  /** Ends the connection for this reason, once: nothing is delivered afterwards, and the tree is taken down. */
  private finish(reason: PorticoError): void {
    if (this.endReason) {
      return;
    }
    this.endReason = reason;
    this.end().catch((error: unknown) => this.options.log.error('The process could not be ended.', error));
    this.onclose?.();
    this.settleOver();
  }

  private end(): Promise<void> {
    this.ending ??= this.endProcess();
    return this.ending;
  }

  private async endProcess(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined) {
      this.guards.dispose();
      return;
    }
    if (this.endReason?.code === 'MESSAGE_TOO_LARGE') {
      child.stdout?.destroy();
    }
    const { graces, control, clock } = this.options;
    await endTree(child.pid, () => child.stdin?.end(), graces, control, clock);
    this.guards.dispose();
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream?.destroy();
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.output || !this.child?.stdin?.writable || this.endReason) {
      return this.refuseToSend();
    }
    this.awaited.sent(message);
    return this.output.send(message);
  }

  private async refuseToSend(): Promise<never> {
    if (this.child?.stdin && !this.endReason) {
      this.finishWithin(EXIT_MS);
      await this.over;
    }
    throw this.endReason ?? this.exitReason;
  }

  /** Settles when the whole tree is gone. */
  async close(): Promise<void> {
    const { server } = this.options;
    this.finish(new PorticoError('CONNECTION_LOST', `"${server}" was stopped.`, { server, show: false }));
    await this.end();
  }
}
