/** Something that holds a resource until it is told to let go. The editor's own `Disposable` fits this shape. */
export interface Disposable {
  dispose(): void;
}

/** Told of every store that opens and closes, so that a test can name the ones left open. */
export interface DisposableTracker {
  opened(store: DisposableStore): void;
  closed(store: DisposableStore): void;
}

let tracker: DisposableTracker | undefined;

/** Installs the tracker of the leak check; returns what removes it again. */
export function trackDisposables(next: DisposableTracker): Disposable {
  tracker = next;
  return toDisposable(() => {
    tracker = undefined;
  });
}

/** Wraps a function as a disposable that runs it once. */
export function toDisposable(run: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (!done) {
        done = true;
        run();
      }
    },
  };
}

/** Owns disposables and lets go of them in reverse order; adding to a closed store disposes at once. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private closed = false;

  constructor() {
    tracker?.opened(this);
  }

  get isDisposed(): boolean {
    return this.closed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.closed) {
      item.dispose();
    } else {
      this.items.add(item);
    }
    return item;
  }

  /** Adds a plain clean-up function. */
  defer(run: () => void): void {
    this.add(toDisposable(run));
  }

  /** Disposes one item before its time and forgets it. */
  release(item: Disposable): void {
    if (this.items.delete(item)) {
      item.dispose();
    }
  }

  /** Every item is disposed even when one throws; the first error is rethrown after the last. */
  dispose(): void {
    if (this.closed) {
      return;
    }
    this.closed = true;
    const errors: unknown[] = [];
    for (const item of [...this.items].reverse()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    this.items.clear();
    tracker?.closed(this);
    if (errors.length > 0) {
      throw errors[0];
    }
  }
}
