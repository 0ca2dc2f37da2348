import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock';
import { Sequencer } from '../../../base/sequencer';

/** A holder that is older has died without letting go: no refresh takes as long. */
const STALE_MS = 60_000;
const POLL_MS = 50;

/** Lets one at a time do something to a thing of that name: in this process, and where there is a folder in all windows. */
export class FileLock {
  private readonly queues = new Map<string, Sequencer>();

  constructor(
    private readonly folder: string | undefined,
    private readonly clock: Clock,
  ) {}

  run<T>(name: string, step: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(name) ?? new Sequencer();
    this.queues.set(name, queue);
    return queue.run(async () => {
      const release = await this.acquire(name);
      try {
        return await step();
      } finally {
        await release();
      }
    });
  }

  private async acquire(name: string): Promise<() => Promise<void>> {
    if (this.folder === undefined) {
      return () => Promise.resolve();
    }
    const path = join(this.folder, `${name}.lock`);
    await mkdir(this.folder, { recursive: true });
    const holder = `${process.pid} ${Math.random()}`;
    while (!(await take(path, holder))) {
      if (await this.isStale(path)) {
        // Moved first: two who find it stale must not take away the lock that one of them has got by then.
        const gone = `${path}.${process.pid}`;
        await rename(path, gone).then(
          () => rm(gone, { force: true }),
          () => undefined,
        );
      } else {
        await new Promise<void>((resolve) => void this.clock.after(POLL_MS, resolve));
      }
    }
    return async () => {
      if ((await readFile(path, 'utf8').catch(() => '')) === holder) {
        await rm(path, { force: true });
      }
    };
  }

  private async isStale(path: string): Promise<boolean> {
    try {
      const { mtimeMs } = await stat(path);
      return this.clock.now() - mtimeMs > STALE_MS;
    } catch {
      // Let go meanwhile.
      return false;
    }
  }
}

async function take(path: string, holder: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(holder);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}
