import type { Clock } from '../base/clock';

interface Bucket {
  left: number;
  at: number;
}

/** How many requests each client may make: a burst, and a steady rate in the long run. */
export class RequestRate {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly burst: number,
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {}

  /** Counts a request; gives the seconds after which the client may come again where it is one too many, else 0. */
  take(client: string): number {
    const now = this.clock.now();
    const bucket = this.buckets.get(client) ?? { left: this.burst, at: now };
    bucket.left = Math.min(this.burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * this.perSecond);
    bucket.at = now;
    this.buckets.set(client, bucket);
    if (bucket.left < 1) {
      return Math.max(1, Math.ceil((1 - bucket.left) / this.perSecond));
    }
    bucket.left -= 1;
    return 0;
  }

  forget(client: string): void {
    this.buckets.delete(client);
  }
}
