import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';

/** Above so many characters of answers that were not taken yet, no more requests are read. */
const MOST = 1_048_576;
/** Where none is taken at all, reading goes on up to here: a server may well write much before it reads. */
const UTMOST = 16 * 1_048_576;
/** How long a server may take nothing, in milliseconds: before reading goes on, and before it is given up. */
const PATIENCE_MS = 1_000;
const LAST_PATIENCE_MS = 10_000;

/**
 * The answers that a server has asked for and not yet taken. One that asks and does not read what it is told is not listened to
 * meanwhile; what we ask of it, however large, is no part of this.
 */
export class AnswerBacklog implements Disposable {
  private size = 0;
  private most = MOST;
  private waiting: Disposable | undefined;
  private hasMoved = false;

  constructor(
    private readonly source: { pause(): void; resume(): void },
    private readonly clock: Clock,
    private readonly onTooMuch: () => void,
  ) {}

  add(size: number): void {
    this.size += size;
    this.look();
  }

  taken(size: number): void {
    this.size -= size;
    this.moved();
  }

  /** The server has taken something of whatever it is sent. */
  moved(): void {
    this.hasMoved = true;
    this.most = MOST;
    this.look();
  }

  dispose(): void {
    this.size = 0;
    this.look();
  }

  private look(): void {
    const isOver = this.size > this.most;
    if (isOver && !this.waiting) {
      this.source.pause();
      this.wait();
    } else if (!isOver && this.waiting) {
      this.waiting.dispose();
      this.goOn();
    }
  }

  private wait(): void {
    this.hasMoved = false;
    const ms = this.most === MOST ? PATIENCE_MS : LAST_PATIENCE_MS;
    this.waiting = this.clock.after(ms, () => this.waited());
  }

  private waited(): void {
    if (this.hasMoved) {
      this.wait();
    } else if (this.most === UTMOST) {
      this.onTooMuch();
    } else {
      this.most = UTMOST;
      if (this.size > UTMOST) {
        this.wait();
      } else {
        this.goOn();
      }
    }
  }

  private goOn(): void {
    this.waiting = undefined;
    this.source.resume();
  }
}
