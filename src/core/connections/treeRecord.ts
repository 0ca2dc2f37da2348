import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, toDisposable } from '../../base/disposable';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/log';
import { endTree, type ProcessControl, processControl } from './processTree';

/** Their stdin has ended long ago. */
const GRACES = { stdinMs: 0, terminateMs: 1_000 };

/** A process as its record names it; a later process with the same number has another `started`. */
interface Recorded {
  readonly pid: number;
  readonly started: string;
}

/**
 * Remembers which process trees run for which host, one empty file each, whose name says it all; so that what outlived a host
 * that was killed, with the reaper beside it, is found and ended by the next one. Not on Windows, where no table tells when a
 * process began.
 */
export class TreeRecord {
  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
    private readonly log: Logger,
    private readonly control: ProcessControl = processControl(),
    /** This process. */
    private readonly host: number = process.pid,
  ) {}

  /** From now on the tree counts as running for this host, until disposed. */
  add(pid: number): Disposable {
    let file: string | undefined;
    let isOver = false;
    const write = async (): Promise<void> => {
      const table = await this.control.table([this.host, pid]);
      const host = table.find((row) => row.pid === this.host);
      const tree = table.find((row) => row.pid === pid);
      if (!host || !tree || isOver) {
        return;
      }
      await mkdir(this.folder, { recursive: true });
      file = join(this.folder, nameOf(host, tree));
      await writeFile(file, '');
      if (isOver) {
        await rm(file, { force: true });
      }
    };
    write().catch((error: unknown) => this.log.debug(`A process was not recorded: ${String(error)}`));
    return toDisposable(() => {
      isOver = true;
      if (file !== undefined) {
        rm(file, { force: true }).catch((error: unknown) => this.log.debug(String(error)));
      }
    });
  }

  /** Ends what hosts that are gone have left behind, and forgets it. Other hosts that run keep what is theirs. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    if (names.length === 0) {
      return;
    }
    const running = new Map((await this.control.table()).map((row) => [row.pid, row.started]));
    const runs = ({ pid, started }: Recorded): boolean => running.get(pid) === started;
    // No process gets the number of a group that still has members.
    const isLeft = ({ pid, started }: Recorded): boolean =>
      running.has(pid) ? running.get(pid) === started : this.control.alive(pid);
    await Promise.all(
      names.map(async (name) => {
        const record = readName(name);
        if (record && runs(record.host)) {
          return;
        }
        if (record && isLeft(record.tree)) {
          this.log.info(`Ending process ${record.tree.pid}, which a window that is gone has left behind.`);
          await endTree(record.tree.pid, () => undefined, GRACES, this.control, this.clock);
        }
        await rm(join(this.folder, name), { force: true });
      }),
    );
  }
}

function nameOf(host: Recorded, tree: Recorded): string {
  return [host.pid, host.started, tree.pid, tree.started].map((part) => encodeURIComponent(part)).join('~');
}

function readName(name: string): { readonly host: Recorded; readonly tree: Recorded } | undefined {
  const parts = name.split('~');
  const [host, hostStarted, tree, treeStarted] = parts;
  if (parts.length !== 4 || !host || !hostStarted || !tree || !treeStarted || !/^\d+$/.test(host + tree)) {
    return undefined;
  }
  return {
    host: { pid: Number(host), started: decodeURIComponent(hostStarted) },
    tree: { pid: Number(tree), started: decodeURIComponent(treeStarted) },
  };
}
