import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { Sequencer } from '../../base/sequencer';
import { TimeSlices } from '../../base/timeSlices';

/** One process that runs; `started` tells it from a later one that got the same number. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
}

const PS_MS = 2_000;

/** Everything below `root`, without it. */
export function descendantsOf(root: number, table: readonly ProcessRow[]): readonly ProcessRow[] {
  const found = new Map<number, ProcessRow>();
  let parents = new Set([root]);
  while (parents.size > 0) {
    const children = table.filter(({ pid, parent }) => parents.has(parent) && pid !== root && !found.has(pid));
    for (const child of children) {
      found.set(child.pid, child);
    }
    parents = new Set(children.map(({ pid }) => pid));
  }
  return [...found.values()];
}

/** A line of `/proc/<pid>/stat` (proc(5)); nothing for a dead process that waits for its parent. */
export function readStat(text: string): ProcessRow | undefined {
  // The name in parentheses may hold anything, parentheses and spaces too.
  const end = text.lastIndexOf(')');
  const [state, parent, ...rest] = text.slice(end + 2).split(' ');
  const started = rest[17];
  return end < 0 || state === 'Z' || started === undefined
    ? undefined
    : { pid: Number.parseInt(text, 10), parent: Number(parent), started };
}

/** A line of `ps -o pid=,ppid=,stat=,lstart=`. */
export function readPsLine(line: string): ProcessRow | undefined {
  const [, pid, parent, state = 'Z', started] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
  return started === undefined || state.startsWith('Z')
    ? undefined
    : { pid: Number(pid), parent: Number(parent), started };
}

/** The system has these texts at hand, and each takes less time to read than to ask a thread for it. */
async function readProc(pids?: readonly number[]): Promise<readonly ProcessRow[]> {
  const names = pids ?? (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows: ProcessRow[] = [];
  const slices = new TimeSlices();
  for (const name of names) {
    if (slices.over) {
      await slices.next();
    }
    rows.push(...rowOf(name));
  }
  return rows;
}

function rowOf(pid: number | string): readonly ProcessRow[] {
  try {
    return [readStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))].filter((row) => row !== undefined);
  } catch {
    // It has ended.
    return [];
  }
}

function runPs(pids?: readonly number[]): Promise<readonly ProcessRow[]> {
  return new Promise((resolve, reject) => {
    const which = pids === undefined ? ['-A'] : ['-p', pids.join()];
    execFile('ps', [...which, '-o', 'pid=,ppid=,stat=,lstart='], { timeout: PS_MS }, (error, stdout) => {
      if (error) {
        reject(error);
      } else {
        resolve(stdout.split('\n').flatMap((line) => readPsLine(line) ?? []));
      }
    });
  });
}

/** One read of all at a time; those who ask meanwhile share the next one, as many servers may start and end at once. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  const steps = new Sequencer();
  let next: Promise<T> | undefined;
  return () => {
    next ??= steps.run(() => {
      next = undefined;
      return read();
    });
    return next;
  };
}

const allOfProc = shared(readProc);
const allOfPs = shared(runPs);

/**
 * The processes of this machine, or those of some numbers; none on Windows, where `taskkill /T` knows the tree itself. Rejects
 * where the system does not tell.
 */
export async function readProcessTable(
  platform: NodeJS.Platform,
  pids?: readonly number[],
): Promise<readonly ProcessRow[]> {
  switch (platform) {
    case 'win32':
      return [];
    case 'linux':
      return pids === undefined ? allOfProc() : readProc(pids);
    default:
      return pids === undefined ? allOfPs() : runPs(pids);
  }
}
