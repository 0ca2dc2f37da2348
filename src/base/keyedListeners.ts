import { type Disposable, toDisposable } from './disposable';
import type { Event } from './emitter';

interface Listener {
  readonly run: () => void;
}

/**
 * Listeners that each wait for what has one of their keys. However many they are, the source is listened to once and what
 * it tells is read once; while there are none, neither.
 */
export class KeyedListeners<T> {
  private readonly byKey = new Map<string, Set<Listener>>();
  private listening: Disposable | undefined;

  /** `keysOf` may give keys that nobody waits for, and a key several times. */
  constructor(
    private readonly source: Event<T>,
    private readonly keysOf: (value: T) => Iterable<string>,
  ) {}

  /** Calls back once for each value that has one of the keys or several, until disposed. */
  add(keys: Iterable<string>, run: () => void): Disposable {
    const listener = { run };
    const own = [...keys];
    for (const key of own) {
      const all = this.byKey.get(key) ?? new Set();
      this.byKey.set(key, all.add(listener));
    }
    this.listening ??= this.source((value) => this.tell(value));
    return toDisposable(() => this.remove(own, listener));
  }

  /** Whether anybody waits for it. */
  has(key: string): boolean {
    return this.byKey.has(key);
  }

  private remove(keys: readonly string[], listener: Listener): void {
    for (const key of keys) {
      const all = this.byKey.get(key);
      all?.delete(listener);
      if (all?.size === 0) {
        this.byKey.delete(key);
      }
    }
    if (this.byKey.size === 0) {
      this.listening?.dispose();
      this.listening = undefined;
    }
  }

  private tell(value: T): void {
    const told = new Set<Listener>();
    for (const key of this.keysOf(value)) {
      this.byKey.get(key)?.forEach((listener) => told.add(listener));
    }
    told.forEach(({ run }) => run());
  }
}
