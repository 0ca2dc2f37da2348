import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

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

async function readProc(): Promise<readonly ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.allSettled(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8')));
  return texts.flatMap((text) => (text.status === 'fulfilled' ? (readStat(text.value) ?? []) : []));
}

function runPs(): Promise<readonly ProcessRow[]> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], { timeout: PS_MS }, (error, stdout) => {
      if (error) {
        reject(error);
      } else {
        resolve(stdout.split('\n').flatMap((line) => readPsLine(line) ?? []));
      }
    });
  });
}

/** The processes of this machine; none on Windows, where `taskkill /T` knows the tree itself. */
export async function readProcessTable(platform: NodeJS.Platform): Promise<readonly ProcessRow[]> {
  switch (platform) {
    case 'win32':
      return [];
    case 'linux':
      return readProc();
    default:
      return runPs();
  }
}
