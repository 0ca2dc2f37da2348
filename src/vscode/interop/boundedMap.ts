/** Values with a size in bytes; above either bound the ones that were least recently used go. The newest always stays. */
export class BoundedMap<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  private bytes = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxBytes: number,
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (entry) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return entry?.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    this.entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (oldest === key || (this.entries.size <= this.maxEntries && this.bytes <= this.maxBytes)) {
        break;
      }
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.bytes -= this.entries.get(key)?.bytes ?? 0;
    this.entries.delete(key);
  }

  keys(): IterableIterator<string> {
    return this.entries.keys();
  }
}
