import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const MARK = 'PORTICO_MARK';
const GONE_MS = 20_000;

/**
 * Finds processes by what stands in their environment, which children inherit, whoever their parent is by now. Looks in
 * `/proc`; where there is none it finds nothing.
 */
export class MarkedProcesses {
  private readonly mark = randomUUID();
  readonly env = { [MARK]: this.mark };

  list(): readonly number[] {
    return pids().filter((pid) => this.isMarked(pid));
  }

  /** Those that are still there after a while. */
  async left(): Promise<readonly number[]> {
    const deadline = Date.now() + GONE_MS;
    while (this.list().length > 0 && Date.now() < deadline) {
      await delay(20);
    }
    return this.list();
  }

  private isMarked(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${this.mark}`);
    } catch {
      // It has ended, or belongs to somebody else.
      return false;
    }
  }
}

function pids(): readonly number[] {
  return process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
}
