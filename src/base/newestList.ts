import { computed, signal } from '@preact/signals-core';

/** A list to which much is added and that is seldom read: no more than the newest, made when somebody looks. */
export class NewestList<T> {
  /** The oldest first, and up to twice as many as are shown. */
  private kept: T[] = [];
  private readonly version = signal(0);

  /** The newest first. */
  readonly items = computed<readonly T[]>(() => {
    void this.version.value;
    return this.kept.slice(-this.limit).reverse();
  });

  constructor(private readonly limit: number) {}

  get newest(): T | undefined {
    return this.kept.at(-1);
  }

  add(item: T): void {
    this.kept.push(item);
    if (this.kept.length >= 2 * this.limit) {
      this.kept = this.kept.slice(-this.limit);
    }
    this.version.value += 1;
  }

  clear(): void {
    this.kept = [];
    this.version.value += 1;
  }
}
