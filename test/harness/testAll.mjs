// `node test/harness/testAll.mjs [check|unit|editor|ui|interop]… [--grep TEXT]`: builds, runs the suites (all without a
// name), and closes with one line of counts. Exits with 1 when anything failed or nothing ran.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { provideWebEditor } from './editor.mjs';
import { countsMark } from './reporter.mjs';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const grep = values.grep ? ['--grep', values.grep] : [];
const mocha = (suite, timeout) => [
  'test/harness/runMocha.mjs',
  `dist/test/${suite}`,
  '--timeout',
  String(timeout),
  ...grep,
];

/** In the order they run; `args` are Node's. */
const suites = {
  check: { run: check },
  unit: { args: mocha('unit', 20_000) },
  editor: { args: ['test/harness/editorSuite.mjs', ...grep] },
  ui: { args: mocha('ui', 300_000) },
  interop: { args: [...mocha('interop', 120_000), '--tables'] },
};

const wanted = positionals.length > 0 ? positionals : Object.keys(suites);
const unknown = wanted.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`No suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}

const built = wanted.filter((name) => name !== 'check');
const ready = await prepare();
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of wanted) {
  const start = Date.now();
  console.log(`${name}`);
  const { args, run } = suites[name];
  const counts = ready ? await (run ?? (() => runSuite(args)))() : { passed: 0, failed: 1, skipped: 0 };
  console.log(`${name}: ${line(counts)} in ${((Date.now() - start) / 1000).toFixed(0)} s`);
  for (const key of Object.keys(total)) {
    total[key] += counts[key];
  }
}
console.log(line(total));
const code = total.failed > 0 || total.passed === 0 ? 1 : 0;
// An exit would cut off what a full pipe has not taken yet.
process.stdout.write('', () => process.exit(code));

/** Builds, and fetches the editor and the browser before tests with time limits need them. */
async function prepare() {
  if (built.length === 0) {
    return true;
  }
  const { code } = await runNode(['test/harness/build.mjs', '--quiet', ...built]);
  // The conformance suite runs on the editor's Node.
  if (['editor', 'ui', 'interop'].some((name) => built.includes(name))) {
    await provideWebEditor();
  }
  if (built.includes('editor') || built.includes('ui')) {
    await (await launchBrowser()).close();
  }
  return code === 0;
}

/** Types, lint and format count as one test. */
async function check() {
  const { code } = await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['run', '--silent', 'check']);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** A suite that ends without counts, or with a failure that it doesn't count, has failed once more. */
async function runSuite(args) {
  const { code, counts } = await runNode(args);
  if (!counts || (code !== 0 && counts.failed === 0) || counts.passed + counts.failed + counts.skipped === 0) {
    console.log(`  FAILED: the suite ended with ${code}${counts ? '' : ' and no counts'}`);
    return { passed: counts?.passed ?? 0, failed: 1, skipped: counts?.skipped ?? 0 };
  }
  return counts;
}

function runNode(args) {
  return run(process.execPath, args);
}

async function run(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], shell: command.endsWith('.cmd') });
  let counts;
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (text.startsWith(countsMark)) {
      counts = JSON.parse(text.slice(countsMark.length));
    } else {
      console.log(text);
    }
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, counts };
}

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
