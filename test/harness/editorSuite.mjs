// Runs the compiled editor suite inside a real VS Code: `node test/harness/editorSuite.mjs [--grep TEXT]`.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { provideDesktopEditor } from './editor.mjs';
import { openPage } from './page.mjs';
import { EditorServer } from './server.mjs';

const suiteMilliseconds = 300_000;
const { values } = parseArgs({ options: { grep: { type: 'string' } } });
const temporary = mkdtempSync(join(tmpdir(), 'portico-suite-'));
const folder = join(temporary, 'workspace');
const report = join(temporary, 'report.txt');
const development = [resolve('.'), resolve('test/fixtures/extensions/scripted-model')];
const tests = resolve('dist/test/editor/index.js');
const env = { PORTICO_TEST_REPORT: report, ...(values.grep ? { PORTICO_TEST_GREP: values.grep } : {}) };
cpSync('test/fixtures/workspaces/editor', folder, { recursive: true });

// So that what was started is ended at exit.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1));
}
let code = 1;
try {
  const desktop = await provideDesktopEditor();
  code = desktop ? await inDesktop(desktop) : await inBrowser();
} finally {
  console.log(existsSync(report) ? readFileSync(report, 'utf8').trimEnd() : 'the suite did not start');
  rmSync(temporary, { recursive: true, force: true });
}
process.exit(code);

async function inBrowser() {
  const server = await EditorServer.start({ env });
  console.log(`  VS Code ${server.version} (npm-based)`);
  const browser = await launchBrowser();
  const lines = [];
  try {
    const page = await browser.newPage();
    const { exited } = await openPage(page, server, { folder, development, tests }, (line) => lines.push(line));
    const result = await Promise.race([exited, delay(suiteMilliseconds, 'timeout', { ref: false })]);
    if (process.env.DEBUG_LOG || !existsSync(report) || result === 'timeout') {
      console.log([`the suite ended with ${result}`, ...lines.slice(-200)].join('\n'));
    }
    return result === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Same suite, same report. */
async function inDesktop(executable) {
  const { runTests } = await import('@vscode/test-electron');
  console.log('  VS Code desktop');
  return runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: development,
    extensionTestsPath: tests,
    extensionTestsEnv: env,
    launchArgs: [
      folder,
      '--disable-workspace-trust',
      '--disable-extensions',
      '--user-data-dir',
      join(temporary, 'data'),
    ],
  }).catch(() => 1);
}
