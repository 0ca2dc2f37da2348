import type { Clock } from '../../../base/clock';

/** Waits that a ring ends early; one that came while nobody waited counts too. */
export class Doorbell {
  private rang = false;
  private answer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  ring(): void {
    this.rang = true;
    this.answer?.();
  }

  /** Settles with a ring or after `ms` milliseconds; rejects with the reason of the signal. */
  async rung(ms: number): Promise<void> {
    this.signal.throwIfAborted();
    if (!this.rang) {
      await new Promise<void>((resolve) => {
        const timer = this.clock.after(ms, () => over());
        const over = (): void => {
          timer.dispose();
          this.signal.removeEventListener('abort', over);
          this.answer = undefined;
          resolve();
        };
        this.answer = over;
        this.signal.addEventListener('abort', over, { once: true });
      });
    }
    this.rang = false;
    this.signal.throwIfAborted();
  }
}
