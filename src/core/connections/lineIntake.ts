import type { TimeSlices } from '../../base/timeSlices';
import { type LineContent, readLongLine, readMessages } from './readMessages';

/**
 * Reads what a server writes, in order. A long line, and what is left of a burst after a while, wait for a later turn of the event
 * loop; meanwhile the server is not read from, so that memory stays bounded.
 */
export class LineIntake {
  private readonly waiting: (string | Buffer)[] = [];
  private draining: Promise<void> | undefined;
  private inTurn = false;

  constructor(
    private readonly deliver: (content: LineContent) => void,
    private readonly source: { pause(): void; resume(): void },
    private readonly slices: TimeSlices,
  ) {}

  /** Settles when everything taken so far has been delivered; nothing where it has been already. */
  get busy(): Promise<void> | undefined {
    return this.draining;
  }

  /** Around the lines of one chunk. */
  chunk(lines: () => void): void {
    if (!this.inTurn) {
      this.inTurn = true;
      this.slices.restart();
      // Whatever there is to be read is read in one turn; immediates come after it.
      setImmediate(() => {
        this.inTurn = false;
      });
    }
    lines();
  }

  take(line: string | Buffer): void {
    if (!this.draining && typeof line === 'string' && !this.slices.over) {
      this.deliver(readMessages(line));
      return;
    }
    this.waiting.push(line);
    this.draining ??= this.drain();
  }

  private async drain(): Promise<void> {
    this.source.pause();
    for (let next = 0; next < this.waiting.length; next += 1) {
      if (this.slices.over) {
        await this.slices.next();
      }
      const line = this.waiting[next] ?? '';
      this.deliver(typeof line === 'string' ? readMessages(line) : await readLongLine(line));
      // What is done about it belongs to this slice too.
      await Promise.resolve();
    }
    this.waiting.length = 0;
    this.draining = undefined;
    this.source.resume();
  }
}
