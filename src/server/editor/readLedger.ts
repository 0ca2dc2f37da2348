import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { LedgerEntry } from './offerTypes';

const maxEntries = 2_000;

/** What clients were given, refused or failed to get, the newest first; bounded, and kept in memory alone. */
export class ReadLedger {
  private readonly list = signal<readonly LedgerEntry[]>([]);
  readonly entries: ReadonlySignal<readonly LedgerEntry[]> = this.list;

  record(entry: LedgerEntry): void {
    this.list.value = [entry, ...this.list.peek().slice(0, maxEntries - 1)];
  }

  clear(): void {
    this.list.value = [];
  }
}
