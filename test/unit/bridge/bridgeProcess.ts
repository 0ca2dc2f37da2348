import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { eventually } from '../core/connections/until';
import { FakeWindow } from './fakeWindow';

/** The bridge as it is shipped, a home of Portico for it, and the windows and agents at its ends, which close with it. */
export class BridgeProgram {
  private readonly windows: FakeWindow[] = [];
  private readonly clients: Client[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'ptest-'));
  readonly home = join(this.folder, 'home');
  readonly path = join(this.folder, 'bridge.mjs');

  static async build(): Promise<BridgeProgram> {
    const program = new BridgeProgram();
    await build({
      entryPoints: ['src/bridge/main.ts'],
      outfile: program.path,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    return program;
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', PORTICO_HOME: this.home, http_proxy: 'http://127.0.0.1:1', ...more };
  }

  /** An agent of the official SDK, in either era. */
  async client(
    era: 'session' | 'stateless',
    args: readonly string[] = [],
    prepare: (client: Client) => void = () => {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<Client> {
    const client = new Client(
      { name: 'agent', version: '1' },
      era === 'stateless' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    prepare(client);
    const transport: Transport = new StdioClientTransport({
      command: process.execPath,
      args: [this.path, ...args],
      cwd: this.folder,
      env: this.env(env),
      stderr: 'ignore',
    });
    await client.connect(transport);
    this.clients.push(client);
    return client;
  }

  /** A window of the folder that the bridge is started in, or of another one. */
  async open(
    name: string,
    folder = realpathSync(this.folder),
    more: Parameters<typeof FakeWindow.open>[3] = {},
  ): Promise<FakeWindow> {
    const window = await FakeWindow.open(this.home, name, folder, more);
    this.windows.push(window);
    return window;
  }

  closeWindows(): void {
    this.windows.splice(0).forEach((window) => window.close());
  }

  start(args: readonly string[] = []): RawAgent {
    return new RawAgent(
      spawn(process.execPath, [this.path, ...args], {
        cwd: this.folder,
        env: this.env(),
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  async dispose(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    this.closeWindows();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** An agent that writes lines itself. */
export class RawAgent {
  readonly lines: string[] = [];
  readonly said: string[] = [];
  readonly closed: Promise<number | null>;

  constructor(private readonly child: ChildProcess) {
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.said.push(text));
    this.closed = new Promise((resolve) => child.once('close', resolve));
  }

  send(message: unknown): void {
    void this.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Settles once the text has gone out. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => this.child.stdin?.write(text, () => resolve()));
  }

  /** The answer to the request with this id. */
  async answer(id: string | number | null): Promise<JSONRPCMessage & Record<string, never>> {
    let found: unknown;
    await eventually(() => {
      found = this.lines
        .map((line) => JSON.parse(line) as { id?: unknown; method?: unknown })
        .find((message) => message.id === id && message.method === undefined);
      return found !== undefined;
    });
    return found as JSONRPCMessage & Record<string, never>;
  }

  /** Ends its input, as agents do, and gives the exit code. */
  end(): Promise<number | null> {
    this.child.stdin?.end();
    return this.closed;
  }
}
