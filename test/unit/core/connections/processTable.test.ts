import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readProcessTable } from '../../../../src/core/connections/processTable';

describe('the table of processes', () => {
  const { pid, ppid, platform } = process;
  before(function () {
    if (platform === 'win32') {
      // It ends whole trees by itself, and has no such table.
      this.skip();
    }
  });

  it('has all that run, and those of some numbers alone where they are asked for', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const parents = new Map((await readProcessTable(platform)).map((row) => [row.pid, row.parent]));
    assert.deepEqual([parents.get(pid), parents.get(child.pid ?? 0)], [ppid, pid]);
    const some = await readProcessTable(platform, [pid, child.pid ?? 0]);
    assert.deepEqual(
      some.map((row) => [row.pid, row.parent]).sort(([a = 0], [b = 0]) => a - b),
      [
        [pid, ppid],
        [child.pid, pid],
      ].sort(([a = 0], [b = 0]) => a - b),
    );
    child.kill();
    await once(child, 'exit');
    assert.deepEqual(
      (await readProcessTable(platform, [pid, child.pid ?? 0])).map((row) => row.pid),
      [pid],
    );
  });

  it('is read once for all who ask at once, and again for who asks later', async () => {
    const [first, second] = await Promise.all([readProcessTable(platform), readProcessTable(platform)]);
    assert.equal(second, first);
    assert.notEqual(await readProcessTable(platform), first);
    assert.ok(first?.some((row) => row.pid === pid));
  });
});
