import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../src/base/clock';
import type { ProcessRow } from '../../../../src/core/connections/processTable';
import { type ProcessControl, processControl } from '../../../../src/core/connections/processTree';
import { TreeRecord } from '../../../../src/core/connections/treeRecord';
import { FakeLogger } from './testConnection';
import { eventually, isAlive } from './until';

describe('TreeRecord', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'portico-trees-')), 'processes');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  const files = (): number => (existsSync(folder) ? readdirSync(folder).length : 0);

  /** A machine with these processes; what is signalled is noted, and gone. */
  function machine(rows: ProcessRow[], groups: number[] = []): ProcessControl & { readonly ended: number[] } {
    const ended: number[] = [];
    const end = (pid: number): boolean => {
      ended.push(pid);
      return true;
    };
    return {
      ended,
      kill: end,
      terminate: end,
      alive: (pid) => (rows.some((row) => row.pid === pid) || groups.includes(pid)) && !ended.includes(pid),
      table: async () => rows.filter(({ pid }) => !ended.includes(pid)),
      signal: end,
    };
  }

  const record = (control: ProcessControl, host: number): TreeRecord =>
    new TreeRecord(folder, systemClock, new FakeLogger(), control, host);

  async function recorded(control: ProcessControl, host: number, tree: number): Promise<void> {
    record(control, host).add(tree);
    await eventually(() => files() === 1);
  }

  it('forgets a tree that has ended', async () => {
    const control = machine([
      { pid: 10, parent: 1, started: 'a b' },
      { pid: 20, parent: 10, started: 'c' },
    ]);
    const entry = record(control, 10).add(20);
    await eventually(() => files() === 1);
    entry.dispose();
    await eventually(() => files() === 0);
  });

  it('ends what a host that is gone left behind, and leaves that of a running one alone', async () => {
    const tree = { pid: 20, parent: 10, started: 'c' };
    const before = machine([{ pid: 10, parent: 1, started: 'a b' }, tree]);
    await recorded(before, 10, 20);
    await record(before, 30).sweep();
    assert.deepEqual([before.ended, files()], [[], 1]);
    const after = machine([{ pid: 10, parent: 1, started: 'later' }, tree]);
    await record(after, 30).sweep();
    assert.deepEqual([after.ended, files()], [[20], 0]);
  });

  it('ends no later process that has the number, but what is left of the group', async () => {
    const before = machine([
      { pid: 10, parent: 1, started: 'a' },
      { pid: 20, parent: 10, started: 'c' },
    ]);
    await recorded(before, 10, 20);
    const other = machine([{ pid: 20, parent: 1, started: 'another' }]);
    await record(other, 30).sweep();
    assert.deepEqual([other.ended, files()], [[], 0]);
    await recorded(before, 10, 20);
    const leaderless = machine([], [20]);
    await record(leaderless, 30).sweep();
    assert.deepEqual(leaderless.ended, [20]);
  });

  it('does so with real processes', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const stubborn = ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"];
    const child = spawn(process.execPath, stubborn, { detached: true, stdio: 'ignore' });
    const host = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const [tree = 0, owner = 0] = [child.pid, host.pid];
    await recorded(processControl(), owner, tree);
    await record(processControl(), process.pid).sweep();
    assert.equal(isAlive(tree), true);
    host.kill('SIGKILL');
    // A process that is about to end has no command line any more, and is in the table all the same.
    await once(host, 'exit');
    await record(processControl(), process.pid).sweep();
    await eventually(() => !isAlive(tree));
    assert.equal(files(), 0);
  });
});
