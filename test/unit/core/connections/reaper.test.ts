import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { eventually, isAlive } from './until';

/** A host that guards two servers which ignore the end of their stdin, lets go of one, and says their ids. */
const host = `
import { spawn } from 'node:child_process';
import { guardTree } from './src/core/connections/reaper';
const stubborn = () => spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: 'ignore' });
const [kept, released] = [stubborn(), stubborn()];
guardTree(kept.pid);
guardTree(released.pid).dispose();
console.log(JSON.stringify([kept.pid, released.pid]));
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
    const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const [kept, released] = JSON.parse(said.toString()) as [number, number];
    try {
      assert.deepEqual([kept, released].map(isAlive), [true, true]);
      child.kill('SIGKILL');
      await eventually(() => !isAlive(kept));
      assert.equal(isAlive(released), true);
    } finally {
      process.kill(released, 'SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });
});
