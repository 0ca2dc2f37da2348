import type { Clock } from '../../base/clock';
import { type Disposable, toDisposable } from '../../base/disposable';

const SECOND_MS = 1_000;

/** Lets so many things pass within a second, and tells at its end how many did not. */
export class SecondQuota implements Disposable {
  private count = 0;
  private window: Disposable = toDisposable(() => undefined);

  constructor(
    private readonly clock: Clock,
    private readonly most: number,
    private readonly onLeftOut: (count: number) => void,
  ) {}

  /** Whether one more may pass. */
  take(): boolean {
    if (this.count === 0) {
      this.window = this.clock.after(SECOND_MS, () => this.endWindow());
    }
    this.count += 1;
    return this.count <= this.most;
  }

  dispose(): void {
    this.window.dispose();
    this.endWindow();
  }

  private endWindow(): void {
    const left = this.count - this.most;
    this.count = 0;
    if (left > 0) {
      this.onLeftOut(left);
    }
  }
}
