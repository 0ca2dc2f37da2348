/**
 * When a server that ended by itself is started again: ever later, and no more once it has ended too often within a time.
 * Immutable: every end gives the policy after it.
 */
export class RestartPolicy {
  private constructor(
    private readonly delays: readonly number[],
    /** How long an end counts, in milliseconds. */
    readonly withinMs: number,
    private readonly ends: readonly number[],
  ) {}

  /** One end more than there are delays, within `withinMs`, is one too many. */
  static of(withinMs: number, ...delays: number[]): RestartPolicy {
    return new RestartPolicy(delays, withinMs, []);
  }

  /** Ends that count at the moment, and restarts at most. */
  get attempt(): number {
    return this.ends.length;
  }

  get attempts(): number {
    return this.delays.length;
  }

  /** `delay`: until the restart, in milliseconds; nothing when it is time to stop. */
  ended(now: number): { readonly policy: RestartPolicy; readonly delay: number | undefined } {
    const ends = [...this.ends.filter((end) => now - end < this.withinMs), now];
    return { policy: new RestartPolicy(this.delays, this.withinMs, ends), delay: this.delays[ends.length - 1] };
  }

  reset(): RestartPolicy {
    return new RestartPolicy(this.delays, this.withinMs, []);
  }
}
