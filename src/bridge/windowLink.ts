import { type Clock, systemClock } from '../base/clock';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { visibleLine } from '../base/visibleJson';
import { describeWindow, type WindowChoice } from '../server/discovery/chooseWindow';
import type { WindowRecord } from '../server/discovery/discoveryTypes';
import { WindowHttp } from './windowHttp';

/**
 * The time of a reload, in milliseconds: as long, a request waits for a window that was there a moment ago, and no other
 * window takes its place.
 */
const reloadMs = 5_000;
const lookAgainMs = 500;
/** A window that is there but does not let the bridge in is asked again after this time, in milliseconds. */
const refusedMs = 5_000;
/** A window that takes a connection and says nothing for this time, in milliseconds, is not waited for any longer. */
const silentMs = 3_000;

const openAdvice =
  'Open the folder in the editor, and let agents see it there by the command “Portico: Connect an Agent…”. Then try again.';
const silentAdvice = 'It may be busy, or stopped by a debugger. Try again later, or reload that window.';

/** Chooses a window among those that are alive; those that served before count as WindowWish says. */
export type FindWindow = (
  previous: readonly WindowRecord[],
  isReloading: boolean,
  /** Whether a window is to be left out. */
  isSilent: (record: WindowRecord) => boolean,
) => Promise<WindowChoice>;

/** The window that serves the agent: chosen when it is first needed, and again when it has gone or a better one is there. */
export class WindowLink implements Disposable {
  private readonly store = new DisposableStore();
  private readonly found = this.store.add(new Emitter<WindowHttp>());
  /** A window has been found where there was none, or only one that fits less. */
  readonly onDidFind = this.found.event;
  private current: WindowHttp | undefined;
  private previous: readonly WindowRecord[] = [];
  /** What `previous` was before the window of now. */
  private older: readonly WindowRecord[] = [];
  /** Of the window that served last. */
  private lastId: string | undefined;
  private isBest = false;
  private lookedAt = 0;
  private lostAt: number | undefined;
  private refusedUntil = 0;
  private looking: Promise<void> | undefined;
  private isWaiting = false;
  /** What takes connections and says nothing, as a stopped window does. Each is still listened to, and counts again when it speaks. */
  private readonly silent = new Set<WindowHttp>();
  private readonly told = new Set<string>();
  /** Whether it was said since the last window that there is none. */
  private isMissTold = false;
  private sentence = 'No editor window with Portico was looked for yet.';
  private nextStep = openAdvice;

  constructor(
    private readonly find: FindWindow,
    private readonly path: string,
    private readonly say: (text: string) => void,
    private readonly client?: string,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Which window serves and why, or why there is none. */
  get state(): string {
    return this.sentence;
  }

  /** What a person can do where none serves. */
  get advice(): string {
    return this.nextStep;
  }

  isCurrent(http: WindowHttp): boolean {
    return this.current === http;
  }

  /**
   * The window for a request, looked for where there is none or a better one may be there; waits for one that is being
   * reloaded.
   */
  async get(): Promise<WindowHttp | undefined> {
    await this.look();
    // The last look is one after the time of a reload, when another window may serve.
    for (let waits = this.isReloading; waits && this.current === undefined && !this.store.isDisposed;) {
      waits = this.isReloading;
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

  /** Says that the window is there and serves nothing, and how that is: nobody waits for it, and it never was the agent's. */
  refused(http: WindowHttp, how: string): void {
    if (this.current === http) {
      this.previous = this.older;
      this.refusedUntil = this.clock.now() + refusedMs;
      this.leave(`${describeWindow(http.record)} ${how}.`);
      this.lookLater(refusedMs);
    }
  }

  dispose(): void {
    this.store.dispose();
    this.silent.forEach((http) => http.leave());
  }

  private get isReloading(): boolean {
    return this.lostAt !== undefined && this.clock.now() < this.lostAt + reloadMs;
  }

  private leave(why: string): void {
    this.current = undefined;
    this.tell(why);
  }

  /** A sentence that was said already, and is true again, is not repeated while the window is the same. */
  private tell(text: string, advice = openAdvice): void {
    const sentence = visibleLine(text);
    this.sentence = sentence;
    this.nextStep = advice;
    if (!this.told.has(sentence)) {
      this.told.add(sentence);
      this.say(sentence);
    }
  }

  /** Other windows may come and go while the one that is looked for is missing: that it is, is said once. */
  private miss(why: string): void {
    const [silent] = this.silent;
    if (silent !== undefined) {
      this.tellSilent(silent);
    } else if (this.isMissTold || this.isReloading) {
      this.sentence = visibleLine(why);
      this.nextStep = openAdvice;
    } else {
      this.isMissTold = true;
      this.tell(why);
    }
  }

  private look(): Promise<void> {
    if (!this.mayFind) {
      return this.looking ?? Promise.resolve();
    }
    this.looking ??= this.choose().finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Nothing is interrupted for a better window, nor is it looked for with every request. */
  private get mayFind(): boolean {
    const now = this.clock.now();
    return this.current === undefined
      ? !this.store.isDisposed && now >= this.refusedUntil
      : !this.isBest && !this.current.isBusy && now >= this.lookedAt + lookAgainMs;
  }

  private async choose(): Promise<void> {
    this.lookedAt = this.clock.now();
    const before = this.current;
    const isSilent = (record: WindowRecord): boolean => [...this.silent].some((http) => isSame(http.record, record));
    const choice = await this.find(this.previous, this.isReloading, isSilent);
    if (!this.isFree(before)) {
      return;
    }
    if (choice.kind === 'none') {
      if (before === undefined) {
        this.miss(choice.why);
      }
      return;
    }
    if (before !== undefined && isSame(choice.record, before.record)) {
      this.isBest = choice.isBest;
      return;
    }
    const http = new WindowHttp(choice.record, this.path, this.client);
    if (await this.speaks(http)) {
      if (this.isFree(before)) {
        this.take(http, choice);
      }
    } else if (!this.store.isDisposed) {
      if (this.current === undefined) {
        // It stays the agent's own: only one that fits too stands in for it. That it may be loading again is no reason to wait.
        this.previous = choice.previous;
        this.lostAt = undefined;
        this.tellSilent(http);
      }
      await this.choose();
    }
  }

  /** Whether the window of now may still be exchanged, after something was waited for. */
  private isFree(before: WindowHttp | undefined): boolean {
    return !this.store.isDisposed && this.current === before && !before?.isBusy;
  }

  private take(http: WindowHttp, choice: Extract<WindowChoice, { kind: 'chosen' }>): void {
    this.isBest = choice.isBest;
    if (this.lastId !== choice.record.id) {
      this.told.clear();
      this.lastId = choice.record.id;
    }
    this.current?.leave();
    this.current = http;
    this.older = this.previous;
    this.previous = choice.previous;
    this.lostAt = undefined;
    this.isMissTold = false;
    this.tell(`Connected to ${describeWindow(choice.record)}: ${choice.why}.`);
    this.found.fire(this.current);
  }

  /** Whether a window says anything in good time; one that does so later is taken then, as one that comes back. */
  private async speaks(http: WindowHttp): Promise<boolean> {
    const spoken = http.greet().then(() => true);
    const inTime = await Promise.race([spoken, this.pause(silentMs).then(() => false)]);
    if (!inTime && !this.store.isDisposed) {
      this.silent.add(http);
      void spoken.then(() => {
        this.silent.delete(http);
        return this.look();
      });
    } else if (!inTime) {
      http.leave();
    }
    return inTime;
  }

  private tellSilent({ record }: WindowHttp): void {
    this.tell(`${describeWindow(record)} does not answer.`, silentAdvice);
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

/** Whether it is the same window, not loaded again in between. */
function isSame(one: WindowRecord, other: WindowRecord): boolean {
  return one.id === other.id && one.token === other.token;
}
