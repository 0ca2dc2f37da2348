import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { RefreshTimes } from './connectionTuning';
import type { ListKind } from './connectionTypes';

/**
 * Turns `list_changed` into refreshes: a burst becomes one, one that comes during a refresh causes another afterwards,
 * and a server that notifies on every list is slowed to a bounded rate.
 */
export class ListRefresh implements Disposable {
  private readonly changed = new Set<ListKind>();
  private firstChange = 0;
  private lastEnd = Number.NEGATIVE_INFINITY;
  private gap: number;
  private timer: Disposable | undefined;
  private running = false;
  private disposed = false;

  constructor(
    private readonly refresh: (kinds: readonly ListKind[]) => Promise<void>,
    private readonly clock: Clock,
    private readonly times: RefreshTimes,
  ) {
    this.gap = times.leastGapMs;
  }

  notify(kinds: readonly ListKind[]): void {
    if (this.changed.size === 0) {
      this.firstChange = this.clock.now();
    }
    for (const kind of kinds) {
      this.changed.add(kind);
    }
    this.schedule();
  }

  private schedule(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (this.running || this.disposed || this.changed.size === 0) {
      return;
    }
    const { quietMs, longestWaitMs } = this.times;
    const now = this.clock.now();
    const due = Math.max(Math.min(now + quietMs, this.firstChange + longestWaitMs), this.lastEnd + this.gap);
    this.timer = this.clock.after(Math.max(0, due - now), () => void this.run());
  }

  private async run(): Promise<void> {
    const kinds = [...this.changed];
    this.changed.clear();
    this.running = true;
    const { leastGapMs, mostGapMs, quietMs } = this.times;
    const followsOn = this.firstChange - this.lastEnd < this.gap + quietMs;
    this.gap = followsOn ? Math.min(this.gap * 2, mostGapMs) : leastGapMs;
    try {
      await this.refresh(kinds);
    } finally {
      this.running = false;
      this.lastEnd = this.clock.now();
      this.schedule();
    }
  }

  dispose(): void {
    this.disposed = true;
    this.timer?.dispose();
    this.changed.clear();
  }
}
