import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { eventually } from '../core/connections/until';

/** The bridge as it is shipped, and a home of Portico for it. */
export class BridgeProgram {
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
    return client;
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

  dispose(): void {
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
    this.child.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
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
