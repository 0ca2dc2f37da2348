import { effect } from '@preact/signals-core';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeLines } from '../../../harness/wholeLines';

/** Waits until the condition over signals holds; mocha's own timeout bounds it. */
export function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined;
    let done = false;
    stop = effect(() => {
      if (!done && condition()) {
        done = true;
        queueMicrotask(() => stop?.());
        resolve();
      }
    });
  });
}

/** Waits for what no signal tells, by looking again and again. */
export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

interface WireEntry {
  readonly pid?: number;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly listening?: unknown;
  readonly error?: { readonly code: number };
}

/** What a fixture server writes down of its starts and of what it receives. */
export class WireTrace {
  private readonly folder = mkdtempSync(join(tmpdir(), 'portico-wire-'));
  readonly file = join(this.folder, 'trace');
  readonly env = { WIRE_TRACE: this.file };

  get entries(): readonly WireEntry[] {
    return wholeLines(this.file).map((line) => JSON.parse(line) as WireEntry);
  }

  get pids(): readonly number[] {
    return this.entries.flatMap(({ pid }) => pid ?? []);
  }

  get methods(): readonly string[] {
    return this.entries.flatMap(({ method }) => method ?? []);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that nobody has reaped yet has no command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
