import type { Clock } from '../../base/clock';
import { type Disposable, toDisposable } from '../../base/disposable';

/** Between two looks at the setting while it is off. */
const OFF_MS = 60_000;

/** Tells when nothing has used a server for a while. One timer, looked at anew when it fires: calls are many. */
export class IdleStop implements Disposable {
  private uses = 0;
  private lastUse = 0;
  private timer: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    /** How long is a while, in milliseconds, at the time of asking; never for 0. */
    private readonly idleMs: () => number,
    /** Whether it is in use though nobody says so. */
    private readonly isBusy: () => boolean,
    private readonly stop: () => void,
  ) {}

  /** From now on there is something to stop. */
  begin(): void {
    this.lastUse = this.clock.now();
    this.wait();
  }

  /** Nothing is idle while this is held. */
  hold(): Disposable {
    this.uses += 1;
    return toDisposable(() => this.release());
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private release(): void {
    this.uses -= 1;
    this.lastUse = this.clock.now();
  }

  private wait(): void {
    this.dispose();
    const idleMs = this.idleMs();
    // Looked at from time to time where it is off, for it may be turned on.
    const left = idleMs > 0 ? Math.max(this.lastUse + idleMs - this.clock.now(), 0) : OFF_MS;
    this.timer = this.clock.after(left, () => this.look());
  }

  private look(): void {
    const idleMs = this.idleMs();
    if (this.uses > 0 || this.isBusy()) {
      this.lastUse = this.clock.now();
    }
    if (idleMs > 0 && this.clock.now() - this.lastUse >= idleMs) {
      this.dispose();
      this.stop();
    } else {
      this.wait();
    }
  }
}
