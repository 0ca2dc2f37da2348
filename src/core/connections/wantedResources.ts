import { type ReadonlySignal, signal } from '@preact/signals-core';
import { type Disposable, toDisposable } from '../../base/disposable';

/** The resources of one server whose updates are wanted; each counts once, however many want it. Outlives connections. */
export class WantedResources {
  private readonly counts = new Map<string, number>();
  private readonly missed = new Set<string>();
  private readonly current = signal<ReadonlySet<string>>(new Set());

  get uris(): ReadonlySignal<ReadonlySet<string>> {
    return this.current;
  }

  want(uri: string): Disposable {
    this.change(uri, 1);
    return toDisposable(() => this.change(uri, -1));
  }

  /** Subscriptions to these have ended; while they are wanted, updates may be missed from now on. */
  lapse(uris: Iterable<string>): void {
    for (const uri of uris) {
      if (this.counts.has(uri)) {
        this.missed.add(uri);
      }
    }
  }

  /** Called when it is subscribed to: whether updates may have been missed since an earlier subscription ended. */
  resume(uri: string): boolean {
    return this.missed.delete(uri);
  }

  private change(uri: string, by: number): void {
    const count = (this.counts.get(uri) ?? 0) + by;
    const known = this.counts.has(uri);
    if (count > 0) {
      this.counts.set(uri, count);
    } else {
      this.counts.delete(uri);
      this.missed.delete(uri);
    }
    if (known !== count > 0) {
      this.current.value = new Set(this.counts.keys());
    }
  }
}
