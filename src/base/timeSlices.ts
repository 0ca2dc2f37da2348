import { setImmediate } from 'node:timers/promises';

/** How long work may hold the event loop, in milliseconds. */
const SLICE_MS = 10;

/** Cuts long work into slices: `if (slices.over) await slices.next()` between its steps lets everything else have its turn. */
export class TimeSlices {
  private start: number;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly turn: () => Promise<unknown> = () => setImmediate(),
  ) {
    this.start = now();
  }

  get over(): boolean {
    return this.now() - this.start > SLICE_MS;
  }

  async next(): Promise<void> {
    await this.turn();
    this.restart();
  }

  /** A turn has begun. */
  restart(): void {
    this.start = this.now();
  }
}
