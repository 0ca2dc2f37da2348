import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface ListedServer {
  readonly name: string;
  readonly state: string;
  readonly era: string | null;
  readonly protocolVersion: string | null;
  readonly counts: Readonly<Record<'tools' | 'resources' | 'templates' | 'prompts', number>>;
  readonly problem?: { readonly code: string; readonly message: string };
}

/** The built CLI with one config file, in a folder of its own. */
export class Cli {
  readonly folder = mkdtempSync(join(tmpdir(), 'portico-interop-'));

  configure(servers: Readonly<Record<string, object>>): void {
    writeFileSync(this.config, JSON.stringify({ servers }));
  }

  private get config(): string {
    return join(this.folder, 'config.json');
  }

  /** Runs a command and gives the JSON on its stdout. Rejects, with all that it said, where it doesn't end with 0. */
  async run<T>(...args: readonly string[]): Promise<T> {
    const all = [resolve('dist/cli.js'), '--config', this.config, '--root', this.folder, '--json', ...args];
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    const code = await new Promise<number | null>((done, failed) => child.on('error', failed).on('close', done));
    if (code !== 0) {
      throw new Error(`${args.join(' ')} ended with ${code}: ${said.stderr}${said.stdout}`);
    }
    return JSON.parse(said.stdout) as T;
  }

  servers(): Promise<readonly ListedServer[]> {
    return this.run('servers');
  }

  /** The text of the first content of a tool's result. */
  async call(server: string, tool: string, args: object): Promise<string | undefined> {
    const { content } = await this.run<{ content: { text?: string }[] }>('call', server, tool, JSON.stringify(args));
    return content[0]?.text;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
