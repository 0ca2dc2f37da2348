import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { type Disposable, toDisposable } from '../../base/disposable';
import { taskkillCommand } from '../../base/taskkill';

/**
 * The program of the reaper: reads `+pid` and `-pid` lines and, once its stdin ends (this process is gone, however
 * it ended), asks the trees that are left to end and then insists.
 */
const PROGRAM = `
const trees = new Set();
let text = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (text + chunk).split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (line[0] === '+') trees.add(pid); else trees.delete(pid);
  }
}).on('end', () => {
  const each = (signal) => trees.forEach((pid) => { try { process.kill(-pid, signal); } catch { trees.delete(pid); } });
  if (process.platform === 'win32') {
    const { spawnSync } = require('node:child_process');
    const [command, args] = ${JSON.stringify(taskkillCommand('PID'))};
    trees.forEach((pid) => spawnSync(command, args.map((arg) => (arg === 'PID' ? String(pid) : arg))));
  } else if (trees.size > 0) {
    each('SIGTERM');
    setTimeout(() => each('SIGKILL'), 1000);
  }
});
`;

const guarded = new Set<number>();
let reaper: ChildProcess | undefined;

/** A killed process runs no clean-up of its own, so a small process beside it does. It lives while there is a tree to guard. */
function open(): ChildProcess {
  const child = spawn(process.execPath, ['-e', PROGRAM], {
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
