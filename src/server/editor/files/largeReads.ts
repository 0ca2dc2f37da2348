import { FairQueue } from '../../../base/fairQueue';
import { SMALL_FILE } from './openedFile';

/** Of all parties; each has one at a time, and has been answered before the next of its own is read. */
const AT_ONCE = 4;

/** Large files are read by turns: what is read for answers that are yet to be made is in memory, and nobody counts it. */
export class LargeReads {
  private readonly turns = new FairQueue(AT_ONCE);

  /** Rejects as a turn does, and as the reading does. */
  run<T>(size: number, party: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    return size <= SMALL_FILE ? read() : this.turns.run(party, signal, read);
  }
}
