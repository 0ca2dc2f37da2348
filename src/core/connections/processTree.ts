import { spawn } from 'node:child_process';
import type { Clock } from '../../base/clock';

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
}

export function taskkillCommand(pid: number): readonly [string, readonly string[]] {
  return ['taskkill', ['/PID', String(pid), '/T', '/F']];
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

function signalProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
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
  if (platform === 'win32') {
    return { kill: (pid) => run(...taskkillCommand(pid)), terminate: () => false, alive: signalProcess };
  }
  return {
    kill: (pid) => void signalGroup(pid, 'SIGKILL'),
    terminate: (pid) => signalGroup(pid, 'SIGTERM'),
    alive: (pid) => signalGroup(pid, 0),
  };
}

const POLL_MS = 15;
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

/** Ends a tree whose stdin has just been closed: waits, asks, then insists (spec: lifecycle, shutdown over stdio). */
export async function endTree(pid: number, graces: Graces, control: ProcessControl, clock: Clock): Promise<void> {
  if (await gone(pid, control, clock, graces.stdinMs)) {
    return;
  }
  if (control.terminate(pid) && (await gone(pid, control, clock, graces.terminateMs))) {
    return;
  }
  control.kill(pid);
  await gone(pid, control, clock, LAST_WAIT_MS);
}
