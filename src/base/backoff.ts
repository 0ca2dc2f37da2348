/** An immutable restart policy: `next` gives the delay in milliseconds and the policy after it, or nothing when it is time to stop. */
export class Backoff {
  private constructor(
    private readonly delays: readonly number[],
    private readonly used: number,
  ) {}

  static of(...delays: number[]): Backoff {
    return new Backoff(delays, 0);
  }

  /** Tries made so far, and tries in all. */
  get attempt(): number {
    return this.used;
  }

  get attempts(): number {
    return this.delays.length;
  }

  next(): { readonly delay: number; readonly policy: Backoff } | undefined {
    const delay = this.delays[this.used];
    return delay === undefined ? undefined : { delay, policy: new Backoff(this.delays, this.used + 1) };
  }

  reset(): Backoff {
    return new Backoff(this.delays, 0);
  }
}
