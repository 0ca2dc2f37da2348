import { type Disposable, toDisposable } from './disposable';

/** Subscribes a listener; the returned disposable takes it off again. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A happening without a state; what has a state is a signal instead. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<{ run: (value: T) => void }>();

  readonly event: Event<T> = (run) => {
    const entry = { run };
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  };

  fire(value: T): void {
    for (const { run } of [...this.listeners]) {
      run(value);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
