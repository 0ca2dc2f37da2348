import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Disposable, toDisposable } from '../../base/disposable';
import { REAPER_PROGRAM } from './reaperProgram';

const guarded = new Set<number>();
let reaper: ChildProcess | undefined;

/** A killed process runs no clean-up of its own, so a small process beside it does. It lives while there is a tree to guard. */
function open(): ChildProcess {
  const child = spawn(process.execPath, ['-e', REAPER_PROGRAM], {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  // Without it the trees still end with their stdin; there is nobody to tell.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  for (const pid of guarded) {
    child.stdin.write(`+${pid}\n`);
  }
  child.once('exit', () => {
    if (reaper === child) {
      reaper = undefined;
    }
  });
  return child;
}

/** Sees to it that the tree does not outlive this process, even one that is killed. */
export function guardTree(pid: number): Disposable {
  guarded.add(pid);
  if (reaper) {
    reaper.stdin?.write(`+${pid}\n`);
  } else {
    reaper = open();
  }
  return toDisposable(() => {
    guarded.delete(pid);
    reaper?.stdin?.write(`-${pid}\n`);
    if (guarded.size === 0) {
      reaper?.stdin?.end();
      reaper = undefined;
    }
  });
}
