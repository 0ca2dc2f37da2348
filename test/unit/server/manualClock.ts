import type { Clock } from '../../../src/base/clock';
import { toDisposable } from '../../../src/base/disposable';

/** Time that passes when the test says so. */
export class ManualClock implements Clock {
  private time = 0;
  private readonly timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void) {
    const timer = { at: this.time + ms, run };
    this.timers.add(timer);
    return toDisposable(() => this.timers.delete(timer));
  }

  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) {
        this.time = end;
        return;
      }
      this.timers.delete(next);
      this.time = next.at;
      next.run();
    }
  }
}
