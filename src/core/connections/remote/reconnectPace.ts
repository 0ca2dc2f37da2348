const CAP_MS = 60_000;
const GROWTH = 1.5;
/** A stream that lived this long was a working one, whatever came over it. */
const HEALTHY_MS = 10_000;

/**
 * How long to wait before a listening stream is opened again. The wait grows with every stream that ended without having
 * been of use, so that a server that closes it at once is asked ever more seldom; it is never below the server's `retry`.
 */
export class ReconnectPace {
  static readonly firstMs = 1_000;
  static readonly leastMs = 100;
  private streak = 0;
  private openedAt: number | undefined;

  opened(now: number): void {
    this.openedAt = now;
  }

  /** Something of use came: a request or notification of the server. */
  used(): void {
    this.streak = 0;
  }

  /** `base`: the server's `retry`, or `firstMs`. In milliseconds. */
  next(base: number, now: number): number {
    if (this.openedAt !== undefined && now - this.openedAt >= HEALTHY_MS) {
      this.streak = 0;
    }
    this.openedAt = undefined;
    const wait = Math.min(base * GROWTH ** this.streak, Math.max(CAP_MS, base));
    this.streak += 1;
    return Math.max(wait, ReconnectPace.leastMs);
  }
}
