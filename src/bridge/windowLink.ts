import { type Clock, systemClock } from '../base/clock';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { describeWindow, type WindowChoice } from '../server/discovery/chooseWindow';
import type { WindowRecord } from '../server/discovery/discoveryTypes';
import { WindowHttp } from './windowHttp';

/** How long a request waits for a window that was there a moment ago: the time of a reload, in milliseconds. */
const reloadMs = 5_000;
const lookAgainMs = 500;
/** A window that is there but does not let the bridge in is asked again after this time, in milliseconds. */
const refusedMs = 5_000;

/** Chooses a window among those that are alive; `previous` is the one that served before. */
export type FindWindow = (previous: WindowRecord | undefined) => Promise<WindowChoice>;

/** The window that serves the agent: chosen when it is first needed, and again when it has gone. */
export class WindowLink implements Disposable {
  private readonly store = new DisposableStore();
  private readonly found = this.store.add(new Emitter<WindowHttp>());
  /** A window has been found where there was none. */
  readonly onDidFind = this.found.event;
  private current: WindowHttp | undefined;
  private previous: WindowRecord | undefined;
  private lostAt: number | undefined;
  private refusedUntil = 0;
  private looking: Promise<void> | undefined;
  private isWaiting = false;
  private readonly told = new Set<string>();
  private sentence = 'No editor window with Portico was looked for yet.';

  constructor(
    private readonly find: FindWindow,
    private readonly path: string,
    private readonly say: (text: string) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Which window serves and why, or why there is none. */
  get state(): string {
    return this.sentence;
  }

  isCurrent(http: WindowHttp): boolean {
    return this.current === http;
  }

  /** The window, looked for where there is none; waits for one that is being reloaded. */
  async get(): Promise<WindowHttp | undefined> {
    await this.look();
    const until = (this.lostAt ?? -reloadMs) + reloadMs;
    while (this.current === undefined && this.clock.now() < until && !this.store.isDisposed) {
      await this.pause(100);
      await this.look();
    }
    if (this.current === undefined) {
      this.lookLater(lookAgainMs);
    }
    return this.current;
  }

  /** Says that the window does not answer any more; another one is looked for. */
  lost(http: WindowHttp): void {
    if (this.current === http) {
      this.lostAt = this.clock.now();
      this.leave(`${describeWindow(http.record)} has gone away.`);
      this.lookLater(lookAgainMs);
    }
  }

  /** Says that the window is there and does not serve this: nobody waits for it. */
  refused(http: WindowHttp, status: number): void {
    if (this.current === http) {
      this.refusedUntil = this.clock.now() + refusedMs;
      this.leave(`${describeWindow(http.record)} does not serve this to agents (HTTP status ${status}).`);
      this.lookLater(refusedMs);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private leave(why: string): void {
    this.current = undefined;
    this.tell(why);
  }

  /** A sentence that was said already, and is true again, is not repeated. */
  private tell(sentence: string): void {
    this.sentence = sentence;
    if (!this.told.has(sentence)) {
      this.told.add(sentence);
      this.say(sentence);
    }
  }

  private look(): Promise<void> {
    this.looking ??= this.choose().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async choose(): Promise<void> {
    if (this.current !== undefined || this.store.isDisposed || this.clock.now() < this.refusedUntil) {
      return;
    }
    const choice = await this.find(this.previous);
    if (choice.kind === 'none') {
      this.sentence = choice.why;
      return;
    }
    this.current = new WindowHttp(choice.record, this.path);
    this.previous = choice.record;
    this.lostAt = undefined;
    this.tell(`Connected to ${describeWindow(choice.record)}: ${choice.why}.`);
    this.found.fire(this.current);
  }

  /** One round of looking at a time, however many ask for it. */
  private lookLater(ms: number): void {
    if (this.isWaiting) {
      return;
    }
    this.isWaiting = true;
    void this.pause(ms).then(async () => {
      this.isWaiting = false;
      await this.look();
      if (this.current === undefined && !this.store.isDisposed) {
        this.lookLater(lookAgainMs);
      }
    });
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }
}
