import { cancelled, PorticoError } from './errors';

/** More of one party are not kept waiting: each keeps what it asks for in memory. */
const MOST_WAITING = 250;

/** Runs work for several parties: so much at once, one of each party at a time, the parties that wait by turns. */
export class FairQueue {
  /** By party, in the order of their turns. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly busy = new Set<string>();

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting = MOST_WAITING,
  ) {}

  /**
   * Rejects with CANCELLED where the signal is aborted before its turn, with RATE_LIMITED where too much of the party waits
   * already, and as the work does.
   */
  async run<T>(party: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.turn(party, signal);
    try {
      return await work();
    } finally {
      this.busy.delete(party);
      // Behind the others that wait.
      const waiting = this.waiting.get(party) ?? [];
      this.waiting.delete(party);
      this.keep(party, waiting);
      this.next();
    }
  }

  private turn(party: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.keep(
          party,
          (this.waiting.get(party) ?? []).filter((other) => other !== begin),
        );
        reject(cancelled('The wait for a turn'));
      };
      if (signal.aborted) {
        leave();
        return;
      }
      const waiting = this.waiting.get(party) ?? [];
      if (waiting.length >= this.mostWaiting) {
        const message = `${waiting.length} requests of this kind wait for their turn already. Try again once they are answered.`;
        reject(new PorticoError('RATE_LIMITED', message));
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.set(party, [...waiting, begin]);
      this.next();
    });
  }

  private next(): void {
    for (const [party, [begin, ...others]] of [...this.waiting]) {
      if (this.busy.size < this.atOnce && !this.busy.has(party) && begin) {
        this.busy.add(party);
        this.keep(party, others);
        begin();
      }
    }
  }

  private keep(party: string, waiting: (() => void)[]): void {
    if (waiting.length > 0) {
      this.waiting.set(party, waiting);
    } else {
      this.waiting.delete(party);
    }
  }
}
