import type { CallToolResult } from '@modelcontextprotocol/client';
import { computed, signal } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';
import { CallLogFile } from './callLogFile';
import { largerThan } from '../../base/jsonSize';
import type { CallLog, CallRecord } from './policyTypes';

/** How many calls are kept, in memory and over restarts. */
const maxRecords = 200;
/** Results above this (characters, roughly) are kept without their contents: 200 of them stay in memory. */
const maxResult = 256 * 1024;

export interface CallLogDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Where the calls are kept over restarts; in memory only otherwise. */
  readonly storageDir?: string;
}

/** Every call, newest first, those that wait for the person on top. Keeping it costs a call two short writes in memory. */
export class RecordingCallLog implements CallLog, Disposable {
  /** Oldest first, by id. A call only touches this and the version; the list is made when somebody looks. */
  private entries = new Map<string, CallRecord>();
  private readonly version = signal(0);
  readonly records = computed(() => {
    void this.version.value;
    return waitingFirst([...this.entries.values()].reverse());
  });
  private readonly store = new DisposableStore();
  private readonly file: CallLogFile | undefined;

  constructor(deps: CallLogDeps) {
    if (deps.storageDir !== undefined) {
      this.file = this.store.add(new CallLogFile(deps.storageDir, maxRecords, deps.clock, deps.log));
    }
  }

  /** Adds the calls of earlier sessions; called once, when the surroundings have time for it. */
  async load(): Promise<void> {
    const earlier = (await this.file?.read()) ?? [];
    if (!this.store.isDisposed && earlier.length > 0) {
      const older = earlier.toReversed().map((record) => [record.id, record] as const);
      this.entries = new Map([...older, ...this.entries]);
      this.changed();
    }
  }

  /** A new call. */
  add(record: CallRecord): CallRecord {
    this.entries.set(record.id, record);
    this.changed();
    return record;
  }

  /** The call goes on (`running`) or ends; an ended one is kept on disk. */
  update(record: CallRecord, change: Partial<CallRecord>): CallRecord {
    const next = change.result ? { ...record, ...change, result: kept(change.result) } : { ...record, ...change };
    if (this.entries.has(record.id)) {
      this.entries.set(record.id, next);
      this.changed();
    }
    if (next.outcome !== 'running' && next.outcome !== 'waiting') {
      this.file?.append(next);
    }
    return next;
  }

  /** Forgets what has ended, on disk too. */
  clear(): void {
    this.entries = new Map([...this.entries].filter(([, record]) => isOpen(record)));
    this.changed();
    this.file?.clear();
  }

  /** Settles when everything so far is on disk. */
  async flush(): Promise<void> {
    await this.file?.flush();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** A call that has not ended is never dropped. */
  private changed(): void {
    for (const [id, record] of this.entries.size > maxRecords ? this.entries : []) {
      if (this.entries.size <= maxRecords) {
        break;
      }
      if (!isOpen(record)) {
        this.entries.delete(id);
      }
    }
    this.version.value += 1;
  }
}

function isOpen({ outcome }: CallRecord): boolean {
  return outcome === 'waiting' || outcome === 'running';
}

function waitingFirst(records: readonly CallRecord[]): readonly CallRecord[] {
  const waiting = records.filter(({ outcome }) => outcome === 'waiting');
  return waiting.length === 0 ? records : [...waiting, ...records.filter(({ outcome }) => outcome !== 'waiting')];
}

function kept(result: CallToolResult): CallToolResult {
  if (!largerThan(result, maxResult)) {
    return result;
  }
  const text = '[The result was too large to be kept in the call log.]';
  return { content: [{ type: 'text', text }], ...(result.isError ? { isError: true } : {}) };
}
