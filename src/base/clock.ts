import { type Disposable, toDisposable } from './disposable';

/** Time as a dependency, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs once after `ms` milliseconds unless disposed; never keeps the process alive. */
  after(ms: number, run: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return toDisposable(() => clearTimeout(timer));
  },
};
