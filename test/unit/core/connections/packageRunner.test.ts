import assert from 'node:assert/strict';
import type { Launch } from '../../../../src/core/config/configTypes';
import { mayInstall } from '../../../../src/core/connections/packageRunner';

const may = (command: string, ...args: string[]): boolean =>
  mayInstall({ type: 'stdio', command, args, env: {} } as unknown as Launch);

describe('programs that may fetch what they run', () => {
  it('are known by their names, some with a subcommand alone', () => {
    assert.deepEqual([may('npx', 'x'), may('C:\\bin\\UVX.exe'), may('/usr/bin/pnpm', 'dlx', 'x')], [true, true, true]);
    assert.deepEqual([may('pnpm', 'start'), may('node', 'run'), may('pnpm')], [false, false, false]);
  });

  it('are none of the names that every object has something under', () => {
    assert.deepEqual([may('./constructor', 'x'), may('__proto__', 'x')], [false, false]);
  });
});
