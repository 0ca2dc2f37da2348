import { spawn } from 'node:child_process';
import type { Clock } from '../../base/clock';
import { taskkillCommand } from '../../base/taskkill';
import { descendantsOf, type ProcessRow, readProcessTable } from './processTable';

/** How long a server may take to end by itself, in milliseconds: after its stdin closed, and after SIGTERM. */
export interface Graces {
  readonly stdinMs: number;
  readonly terminateMs: number;
}

/** The operating system as the ending of a process tree sees it; POSIX children lead a group of their own. */
export interface ProcessControl {
  /** Ends the whole tree at once. */
  kill(pid: number): void;
  /** Asks the whole tree to end; false where the platform has no such signal. */
  terminate(pid: number): boolean;
  /** Whether anything of the tree still runs. */
  alive(pid: number): boolean;
  /** All processes that run, or those of some numbers at least; empty where the platform ends whole trees by itself. */
  table(pids?: readonly number[]): Promise<readonly ProcessRow[]>;
  /** Sends a signal to one process alone. */
  signal(pid: number, signal: NodeJS.Signals): void;
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    // ESRCH: the group is gone, which is what was wanted.
    return false;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // ESRCH: it is gone.
    return false;
  }
}

/** `run` starts a helper program without waiting for it. */
export function processControl(
  platform: NodeJS.Platform = process.platform,
  run: (command: string, args: readonly string[]) => void = (command, args) =>
    void spawn(command, [...args], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined),
): ProcessControl {
  const each = {
    table: (pids?: readonly number[]) => readProcessTable(platform, pids),
    signal: (pid: number, signal: NodeJS.Signals): void => void signalProcess(pid, signal),
  };
  if (platform === 'win32') {
    return {
      ...each,
      kill: (pid) => run(...taskkillCommand(pid)),
      terminate: () => false,
      alive: (pid) => signalProcess(pid, 0),
    };
  }
  return {
    ...each,
    kill: (pid) => void signalGroup(pid, 'SIGKILL'),
    terminate: (pid) => signalGroup(pid, 'SIGTERM'),
    alive: (pid) => signalGroup(pid, 0),
  };
}

const POLL_MS = 15;
const STRAY_POLL_MS = 100;
const LAST_WAIT_MS = 1_000;

async function gone(pid: number, control: ProcessControl, clock: Clock, withinMs: number): Promise<boolean> {
  const deadline = clock.now() + withinMs;
  while (control.alive(pid)) {
    if (clock.now() >= deadline) {
      return false;
    }
    await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

async function tableOf(control: ProcessControl, pids?: readonly number[]): Promise<readonly ProcessRow[]> {
  try {
    return await control.table(pids);
  } catch {
    // Without a table the group is all that is known of the tree.
    return [];
  }
}

/**
 * Ends a tree: closes its stdin, waits, asks, then insists (spec: lifecycle, shutdown over stdio). Children that have
 * left the group are found while their parents still run.
 */
export async function endTree(
  pid: number,
  closeInput: () => void,
  graces: Graces,
  control: ProcessControl,
  clock: Clock,
): Promise<void> {
  const family = descendantsOf(pid, await tableOf(control));
  closeInput();
  await endGroup(pid, graces, control, clock);
  if (family.length > 0) {
    await endStrays(family, graces, control, clock);
  }
}

async function endGroup(pid: number, graces: Graces, control: ProcessControl, clock: Clock): Promise<void> {
  if (await gone(pid, control, clock, graces.stdinMs)) {
    return;
  }
  if (control.terminate(pid) && (await gone(pid, control, clock, graces.terminateMs))) {
    return;
  }
  control.kill(pid);
  await gone(pid, control, clock, LAST_WAIT_MS);
}

async function endStrays(
  family: readonly ProcessRow[],
  graces: Graces,
  control: ProcessControl,
  clock: Clock,
): Promise<void> {
  // A number alone is not enough: by now another process may have it.
  const known = new Set(family.map(({ pid, started }) => `${pid} ${started}`));
  const pids = family.map(({ pid }) => pid);
  const left = async (): Promise<readonly ProcessRow[]> =>
    (await tableOf(control, pids)).filter(({ pid, started }) => known.has(`${pid} ${started}`));
  const signal = (rows: readonly ProcessRow[], name: NodeJS.Signals): void =>
    rows.forEach(({ pid }) => control.signal(pid, name));
  let rows = await left();
  signal(rows, 'SIGTERM');
  const deadline = clock.now() + graces.terminateMs;
  while (rows.length > 0 && clock.now() < deadline) {
    await new Promise<void>((resolve) => setTimeout(resolve, STRAY_POLL_MS));
    rows = await left();
  }
  signal(rows, 'SIGKILL');
}
