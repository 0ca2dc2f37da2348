// `npm start`: builds Portico, gets an editor and opens the demo workspace; Ctrl+C ends everything.
// `npm start -- --headless` runs the scripted tour instead and writes its pictures to out/tour.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packPortico } from './package.mjs';
import { EditorServer } from './server.mjs';

if (process.argv.includes('--headless')) {
  build('ui');
  const { main } = await import(pathToFileURL(resolve('dist/test/ui/tour/main.js')).href);
  await main(join('out', 'tour'));
} else {
  await open();
}

function build(...suites) {
  execFileSync(process.execPath, ['test/harness/build.mjs', '--quiet', ...suites], { stdio: 'inherit' });
}

async function open() {
  const temporary = mkdtempSync(join(tmpdir(), 'portico-demo-'));
  const folder = join(temporary, 'demo');
  cpSync('test/fixtures/workspaces/demo', folder, { recursive: true });
  const env = { PORTICO_DEMO_MODULES: resolve('node_modules') };
  try {
    await (hasDesktop() ? inDesktop(temporary, folder, env) : inBrowser(folder, env));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function hasDesktop() {
  return spawnSync('code', ['--version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0;
}

/** A window of its own profile, which ends with this program or when the person closes it. */
async function inDesktop(temporary, folder, env) {
  build();
  const args = [
    '--wait',
    '--new-window',
    `--extensionDevelopmentPath=${resolve('.')}`,
    `--user-data-dir=${join(temporary, 'data')}`,
    folder,
  ];
  console.log(`Opening ${folder} in VS Code. Portico's icon is in the activity bar. Close the window to end.`);
  const child = spawn('code', args, {
    stdio: 'ignore',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  await Promise.race([new Promise((done) => child.once('exit', done)), interrupted()]);
  child.kill();
}

/** Installed as a person installs it. */
async function inBrowser(folder, env) {
  const server = await EditorServer.start({ env, trust: false, smokeDriver: false, vsix: [packPortico().vsix] });
  try {
    console.log(
      `VS Code ${server.version} runs in the browser. Open:\n\n  ${server.url}?folder=${encodeURI(folder)}\n`,
    );
    console.log("Trust the folder; Portico's icon is in the activity bar. Ctrl+C ends everything.");
    await interrupted();
  } finally {
    await server.stop();
  }
}

function interrupted() {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, done);
    }
  });
}
