import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { largerThan } from '../../base/jsonSize';
import type { Logger } from '../../base/log';
import { Sequencer } from '../../base/sequencer';
import type { CallRecord } from './policyTypes';

/** A line's result above this many characters of JSON, roughly, is left out on disk. */
const maxResultOnDisk = 20_000;
/** Arguments above this are left out on disk. */
const maxArgsOnDisk = 100_000;
/** The file is rewritten with its newest calls above this size, in bytes. */
const maxFile = 4 * 1_048_576;
const writeAfterMs = 500;

/** Ended calls as lines of JSON, `calls.jsonl`, oldest first. Writes are gathered and never wait for. */
export class CallLogFile implements Disposable {
  private readonly path: string;
  private readonly steps = new Sequencer();
  private readonly store = new DisposableStore();
  private pending: CallRecord[] = [];
  private timer: Disposable | undefined;
  private size = 0;

  constructor(
    private readonly folder: string,
    private readonly maxRecords: number,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.path = join(folder, 'calls.jsonl');
  }

  /** Newest first. What cannot be read is left out. */
  read(): Promise<readonly CallRecord[]> {
    return this.steps.run(async () => {
      try {
        return this.parse(await readFile(this.path, 'utf8'));
      } catch (error) {
        if (!isMissing(error)) {
          this.log.error('The call log could not be read.', error);
        }
        return [];
      }
    });
  }

  append(record: CallRecord): void {
    this.pending.push(record);
    if (this.pending.length >= 2 * this.maxRecords) {
      this.pending = this.pending.slice(-this.maxRecords);
    }
    if (!this.timer && !this.store.isDisposed) {
      this.timer = this.store.add(this.clock.after(writeAfterMs, () => void this.flush()));
    }
  }

  clear(): void {
    this.pending = [];
    void this.steps.run(() => this.guarded(() => rm(this.path, { force: true })));
    this.size = 0;
  }

  /** Writes what waits; settles when it is on disk. Failures go to the log. */
  flush(): Promise<void> {
    if (this.timer) {
      this.store.release(this.timer);
      this.timer = undefined;
    }
    return this.steps.run(() => this.guarded(() => this.write()));
  }

  dispose(): void {
    this.store.dispose();
  }

  private async write(): Promise<void> {
    if (this.pending.length === 0) {
      return;
    }
    const lines = this.pending.map(lineOf).join('');
    this.pending = [];
    await mkdir(this.folder, { recursive: true });
    await appendFile(this.path, lines, { mode: 0o600 });
    this.size += Buffer.byteLength(lines);
    if (this.size > maxFile) {
      await this.shorten();
    }
  }

  private async shorten(): Promise<void> {
    const records = this.parse(await readFile(this.path, 'utf8'));
    const lines = records.toReversed().map(lineOf).join('');
    await writeFile(`${this.path}.new`, lines, { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
    this.size = Buffer.byteLength(lines);
  }

  private parse(text: string): readonly CallRecord[] {
    this.size = Buffer.byteLength(text);
    const records = new Map<string, CallRecord>();
    for (const line of text.split('\n').slice(-this.maxRecords - 1)) {
      const record = recordOf(line);
      if (record) {
        records.set(record.id, record);
      }
    }
    return [...records.values()].reverse();
  }

  private async guarded(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.log.error('The call log could not be written.', error);
    }
  }
}

function lineOf(record: CallRecord): string {
  const { result, args, ...rest } = record;
  const keptArgs = largerThan(args, maxArgsOnDisk) ? {} : args;
  const keptResult = result !== undefined && !largerThan(result, maxResultOnDisk) ? { result } : {};
  return `${JSON.stringify({ ...rest, args: keptArgs, ...keptResult })}\n`;
}

function recordOf(line: string): CallRecord | undefined {
  if (line === '') {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    // A line cut by a crash costs that line alone.
    return undefined;
  }
}

function isRecord(value: unknown): value is CallRecord {
  const texts = ['id', 'key', 'exposedName', 'outcome'];
  const objects = ['caller', 'ref', 'args'];
  return (
    typeof value === 'object' &&
    value !== null &&
    texts.every((name) => typeof (value as Record<string, unknown>)[name] === 'string') &&
    objects.every((name) => isObject((value as Record<string, unknown>)[name])) &&
    typeof (value as Record<string, unknown>)['startedAt'] === 'number'
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
