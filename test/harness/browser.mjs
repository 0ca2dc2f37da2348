// Provides a Chromium: one named by PORTICO_BROWSER, one that is installed, the one inside the npm package
// @sparticuz/chromium, or, where apt can be used, Debian's.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { provideOnce } from './cache.mjs';

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge', 'msedge'];
const wellKnown = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const quietArgs = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
];

/**
 * Starts a headless browser; the caller closes it.
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function launchBrowser() {
  const { executablePath, env = {}, major } = findBrowser() ?? (await packagedBrowser()) ?? debianBrowser();
  const shell = major ? ['--headless=shell'] : [];
  const browser = await chromium.launch({
    executablePath,
    args: [...quietArgs, ...shell],
    env: { ...process.env, ...env },
  });
  if (major && browser.version().split('.')[0] !== major) {
    await browser.close();
    throw new Error(`Expected Chromium ${major} in ${executablePath}, found ${browser.version()}: delete that folder.`);
  }
  return browser;
}

function findBrowser() {
  if (process.env.PORTICO_BROWSER) {
    return { executablePath: process.env.PORTICO_BROWSER };
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const executablePath = [...onPath, ...wellKnown].find((path) => existsSync(path));
  return executablePath && { executablePath };
}

/** Linux on x64 only. */
async function packagedBrowser() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return undefined;
  }
  const { version } = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'));
  const folder = await provideOnce(`chromium-${version}`, (unfinished) => unpack(unfinished));
  const executablePath = join(folder, 'chromium');
  const candidates = [{}, { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }].map((libraries) => ({
    ...libraries,
    ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
  }));
  const env = candidates.find((each) => runs(executablePath, each));
  if (!env) {
    console.log('the Chromium of @sparticuz/chromium does not run here: libnss3, libnspr4 or libexpat is missing');
    return undefined;
  }
  return { executablePath, env, major: version.split('.')[0] };
}

/** The package unpacks into the temporary folder, whatever it is, and takes what already lies there. */
async function unpack(folder) {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: packaged, inflate } = await import('@sparticuz/chromium');
    await packaged.executablePath();
    await inflate(join('node_modules', '@sparticuz', 'chromium', 'bin', 'al2023.tar.br'));
  } finally {
    if (before === undefined) {
      delete process.env.TMPDIR;
    } else {
      process.env.TMPDIR = before;
    }
  }
}

function debianBrowser() {
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('installing Debian’s chromium');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'ignore' });
    if (runs('/usr/bin/chromium')) {
      return { executablePath: '/usr/bin/chromium' };
    }
  }
  throw new Error(
    'No browser: install Chrome, Chromium or Edge, or name one by the environment variable PORTICO_BROWSER.',
  );
}

function runs(executablePath, env = {}) {
  return spawnSync(executablePath, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore' }).status === 0;
}
