// Builds and runs the unit tests, or those below one folder: `node test/harness/unit.mjs [core/config]`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const [below = ''] = process.argv.slice(2);
const out = `.cache/unit-${process.pid}`;
const run = (...args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
let status = run('test/harness/build.mjs', '--quiet', '--tests-only', '--out', out, `unit:${below}`);
if (status === 0) {
  status = run('test/harness/runMocha.mjs', `${out}/test/unit`);
}
rmSync(out, { recursive: true, force: true });
process.exit(status);
