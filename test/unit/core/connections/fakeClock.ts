import type { Clock } from '../../../../src/base/clock';
import { toDisposable } from '../../../../src/base/disposable';

/** Time that passes when a test says so. */
export class FakeClock implements Clock {
  private time = 0;
  private readonly timers = new Set<{ due: number; run: () => void }>();

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void) {
    const timer = { due: this.time + ms, run };
    this.timers.add(timer);
    return toDisposable(() => this.timers.delete(timer));
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) {
        break;
      }
      this.timers.delete(next);
      this.time = Math.max(this.time, next.due);
      next.run();
      await new Promise(setImmediate);
    }
    this.time = end;
  }
}
