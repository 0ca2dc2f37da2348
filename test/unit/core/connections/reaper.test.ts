import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { eventually, isAlive } from './until';

/**
 * A host that guards two servers which ignore the end of their stdin, the first with a child in a group of its own, lets go of the
 * second, and says their ids.
 */
const host = `
import { spawn } from 'node:child_process';
import { guardTree } from './src/core/connections/reaper';
const ignore = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
const leave = "console.log(require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { detached: true, stdio: 'ignore' }).pid);";
const stubborn = (more) => spawn(process.execPath, ['-e', ignore + more, ignore], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
const [kept, released] = [stubborn(leave), stubborn('')];
guardTree(kept.pid);
guardTree(released.pid).dispose();
kept.stdout.once('data', (child) => console.log(JSON.stringify([kept.pid, Number(child), released.pid])));
setInterval(() => {}, 1000);
`;

describe('the reaper', () => {
  it('ends what a killed process leaves behind, and nothing that was let go', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-reaper-'));
    const outfile = join(folder, 'host.mjs');
    await build({
      stdin: { contents: host, resolveDir: process.cwd() },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
    });
    const running = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(running.stdout, 'data')) as [Buffer];
    const [kept, child, released] = JSON.parse(said.toString()) as [number, number, number];
    try {
      assert.deepEqual([kept, child, released].map(isAlive), [true, true, true]);
      running.kill('SIGKILL');
      await eventually(() => !isAlive(kept) && !isAlive(child));
      assert.equal(isAlive(released), true);
    } finally {
      [child, released].filter(isAlive).forEach((pid) => process.kill(pid, 'SIGKILL'));
      rmSync(folder, { recursive: true });
    }
  });
});
