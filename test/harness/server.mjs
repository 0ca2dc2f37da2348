// Starts the editor's server with everything it writes in one temporary folder, and ends all of it again.
import { execFile, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { provideWebEditor } from './editor.mjs';

const graceMilliseconds = 8000;
const execFileAsync = promisify(execFile);

/**
 * @typedef {object} ServerOptions
 * @property {Record<string, unknown>} [settings] the person's settings
 * @property {boolean} [trust] false: workspaces open in Restricted Mode until the person trusts them
 * @property {boolean} [smokeDriver] needed for extensions under development and for test runs; hides notification toasts
 * @property {readonly string[]} [vsix] packages to install
 * @property {Record<string, string>} [env] more environment for the extension host
 * @property {string} [cwd] the extension host's folder
 */

/** A running editor server; `home` is its HOME, `data` its data folder (settings in `data/data/User`). */
export class EditorServer {
  /** @param {ServerOptions} [options] */
  static async start(options = {}) {
    const editor = await provideWebEditor();
    const folder = mkdtempSync(join(tmpdir(), 'portico-editor-'));
    const server = new EditorServer(editor, folder, await freePort());
    try {
      await server.#start(options);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  #child;
  #exited;
  /** For a program that ends without `stop`. */
  #abandon = () => {
    signalGroup(this.#child.pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  };

  constructor(editor, folder, port) {
    this.version = editor.version;
    this.editor = editor;
    this.folder = folder;
    this.port = port;
    this.home = join(folder, 'home');
    this.data = join(folder, 'data');
    this.extensions = join(folder, 'extensions');
    this.userFolder = join(this.data, 'data', 'User');
    this.log = join(folder, 'server.log');
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  get authority() {
    return `127.0.0.1:${this.port}`;
  }

  /** Writes the person's settings; the running editor follows. */
  writeSettings(settings) {
    mkdirSync(this.userFolder, { recursive: true });
    writeFileSync(join(this.userFolder, 'settings.json'), JSON.stringify(settings, null, 2));
  }

  readLog() {
    return readFileSync(this.log, 'utf8');
  }

  /** @param {string} vsix */
  async install(vsix) {
    await this.#command('--install-extension', resolve(vsix));
  }

  /** Names and versions of what is installed, one `publisher.name@version` each. */
  async installed() {
    return (await this.#command('--list-extensions', '--show-versions')).trim().split('\n');
  }

  /** Everything that runs for this editor, one line `PID COMMAND…` each. */
  processes() {
    return processesOf(this.home);
  }

  /** Ends the server with all its children; throws, naming them, when some outlived it. */
  async stop() {
    const survivors = [];
    if (this.#child) {
      const group = this.#child.pid;
      signalGroup(group, 'SIGTERM');
      await Promise.race([this.#exited, delay(5000, undefined, { ref: false })]);
      // The extension host gives its servers a few seconds to end.
      const deadline = Date.now() + graceMilliseconds;
      while (this.processes().length > 0 && Date.now() < deadline) {
        await delay(100);
      }
      survivors.push(...this.processes().filter((line) => !/--type=agentHost/.test(line)));
      signalGroup(group, 'SIGKILL');
      await this.#exited;
      this.#child = undefined;
      process.off('exit', this.#abandon);
      for (const line of this.processes()) {
        signal(Number.parseInt(line), 'SIGKILL');
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    if (survivors.length > 0) {
      throw new Error(`Processes outlived the editor:\n${survivors.join('\n')}`);
    }
  }

  async #start({ settings = {}, trust = true, smokeDriver = true, vsix = [], env = {}, cwd }) {
    mkdirSync(this.home, { recursive: true });
    mkdirSync(this.extensions, { recursive: true });
    this.writeSettings(settings);
    this.environment = { ...process.env, HOME: this.home, USERPROFILE: this.home, ...env };
    for (const key of Object.keys(this.environment)) {
      if (/^(npm_|NODE_OPTIONS$|XDG_|VSCODE_|ELECTRON_)/.test(key)) {
        delete this.environment[key];
      }
    }
    for (const path of vsix) {
      await this.install(path);
    }
    const args = [
      ...this.#folders(),
      ...['--without-connection-token', '--host', '127.0.0.1', '--port', String(this.port), '--disable-telemetry'],
      // Without it the extension host of a closed page lives on for hours, and its servers with it.
      ...['--reconnection-grace-time', '2'],
      ...(smokeDriver ? ['--enable-smoke-test-driver'] : []),
      ...(trust ? ['--disable-workspace-trust'] : []),
    ];
    this.#child = spawn(this.editor.node, [this.editor.serverMain, ...args], {
      cwd: cwd ?? this.home,
      env: this.environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve));
    process.once('exit', this.#abandon);
    writeFileSync(this.log, '');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.on('data', (chunk) => appendFileSync(this.log, chunk));
    }
    await this.#answers();
  }

  async #answers() {
    const deadline = Date.now() + 30_000;
    for (;;) {
      try {
        await fetch(`${this.url}version`);
        return;
      } catch (error) {
        if (this.#child.exitCode !== null || Date.now() > deadline) {
          throw new Error(`The editor's server did not start:\n${this.readLog()}`, { cause: error });
        }
        await delay(100);
      }
    }
  }

  #folders() {
    return ['--accept-server-license-terms', '--server-data-dir', this.data, '--extensions-dir', this.extensions];
  }

  async #command(...args) {
    const all = [this.editor.serverMain, ...args, ...this.#folders()];
    return (await execFileAsync(this.editor.node, all, { env: this.environment, cwd: this.home })).stdout;
  }
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function signalGroup(group, name) {
  signal(-group, name);
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') {
      throw error;
    }
  }
}

/**
 * Command lines of the live processes that belong to a home folder: servers run in groups of their own, but inherit HOME.
 * Read from /proc; elsewhere nothing is found.
 */
function processesOf(home) {
  if (process.platform !== 'linux') {
    return [];
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const belongs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
        return belongs ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`] : [];
      } catch (error) {
        if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) {
          return [];
        }
        throw error;
      }
    });
}
