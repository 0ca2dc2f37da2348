import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';

interface Waiting {
  /** In running time. */
  due: number;
  readonly expire: () => void;
}

/** The time of one request. */
export interface Allowance {
  /** The time begins anew, within the most that was given. */
  readonly extend: () => void;
  readonly end: () => void;
}

/**
 * The time that requests may take. It stands still while it is paused. One timer serves all requests: they are many,
 * and hardly one runs out of time.
 */
export class RequestClock implements Disposable {
  private readonly waiting = new Set<Waiting>();
  private timer: Disposable | undefined;
  private timerDue = Infinity;
  private pauses = 0;
  private pausedAt = 0;
  /** How long it has stood still so far. */
  private stood = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `expire` after `ms` milliseconds of running time, unless it is ended before; `most` bounds what extensions may
   * add up to. `expire` gets the running time that it had.
   */
  begin(ms: number, most: number, expire: (total: number) => void): Allowance {
    const begun = this.time();
    const waiting: Waiting = { due: begun + ms, expire: () => expire(waiting.due - begun) };
    this.waiting.add(waiting);
    this.wakeAt(waiting.due);
    return {
      // The timer finds out when it rings that there is more time: a flood of progress costs nothing.
      extend: () => {
        waiting.due = Math.min(this.time() + ms, begun + most);
      },
      end: () => void this.waiting.delete(waiting),
    };
  }

  /** Stands still until every pause has ended. */
  pause(): () => void {
    if (this.pauses === 0) {
      this.pausedAt = this.clock.now();
      this.stopTimer();
    }
    this.pauses += 1;
    let over = false;
    return () => {
      if (over) {
        return;
      }
      over = true;
      this.pauses -= 1;
      if (this.pauses === 0) {
        this.stood += this.clock.now() - this.pausedAt;
        this.wakeForNext();
      }
    };
  }

  dispose(): void {
    this.waiting.clear();
    this.stopTimer();
  }

  private time(): number {
    return (this.pauses > 0 ? this.pausedAt : this.clock.now()) - this.stood;
  }

  private wakeAt(due: number): void {
    if (this.pauses === 0 && due < this.timerDue) {
      this.stopTimer();
      this.timerDue = due;
      this.timer = this.clock.after(due - this.time(), () => this.wake());
    }
  }

  private wake(): void {
    this.stopTimer();
    const now = this.time();
    for (const waiting of [...this.waiting]) {
      if (waiting.due <= now) {
        this.waiting.delete(waiting);
        waiting.expire();
      }
    }
    this.wakeForNext();
  }

  private wakeForNext(): void {
    if (this.waiting.size > 0) {
      this.wakeAt(Math.min(...[...this.waiting].map(({ due }) => due)));
    }
  }

  private stopTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.timerDue = Infinity;
  }
}
