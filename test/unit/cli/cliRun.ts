import { build } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const EVERYTHING = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const FILESYSTEM = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

export const everything = { command: process.execPath, args: [EVERYTHING] };
export const filesystem = { command: process.execPath, args: [FILESYSTEM, '${workspaceFolder}'] };

/** A fixture server of this project. */
export const fixture = (name: string, ...args: string[]): object => ({
  command: process.execPath,
  args: [resolve('test/fixtures/servers', name), ...args],
});

/** The CLI built into a folder of its own, and run as a child process with configs that it finds there. */
export class CliUnderTest {
  private readonly children = new Set<ChildProcess>();
  private configs = 0;

  private constructor(readonly folder: string) {}

  static async build(): Promise<CliUnderTest> {
    await mkdir('.cache', { recursive: true });
    const folder = await mkdtemp(resolve('.cache/cli-'));
    await build({
      entryPoints: { cli: 'src/cli/main.ts' },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'warning',
    });
    return new CliUnderTest(folder);
  }

  async config(servers: object, more: object = {}): Promise<string> {
    this.configs += 1;
    const file = join(this.folder, `config${this.configs}.json`);
    await writeFile(file, JSON.stringify({ ...more, servers }));
    return file;
  }

  spawn(...args: string[]): { readonly child: ChildProcess; readonly result: Promise<CliResult> } {
    const child = spawn(process.execPath, [join(this.folder, 'cli.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.add(child);
    const texts = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
    const result = new Promise<CliResult>((settle) => {
      child.on('close', (code) => {
        this.children.delete(child);
        settle({ code, ...texts });
      });
    });
    return { child, result };
  }

  run(...args: string[]): Promise<CliResult> {
    return this.spawn(...args).result;
  }

  async dispose(): Promise<void> {
    for (const child of this.children) {
      child.kill('SIGKILL');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
