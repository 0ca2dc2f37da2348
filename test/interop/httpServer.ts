import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';

const PATIENCE_MS = 30_000;

export interface ServerProgram {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it says once it listens. */
  readonly listening: RegExp;
}

/** A server that is there before its clients, and what it says. */
export class HttpServer {
  private output = '';
  private onOutput = (): void => undefined;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        this.onOutput();
      });
    }
  }

  static async start({ args, env = {}, listening }: ServerProgram): Promise<HttpServer> {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    const server = new HttpServer(child);
    try {
      await server.said(listening);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Waits for something in its output and gives the match; rejects when it ends before, or says other things only. */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const fail = (what: string): void => reject(new Error(`The server ${what}: ${this.output}`));
        timer = setTimeout(() => fail(`did not say ${pattern}`), PATIENCE_MS);
        this.child.once('close', (code) => fail(`ended with ${code}`));
        this.onOutput = () => {
          const match = pattern.exec(this.output);
          if (match) {
            resolve(match);
          }
        };
        this.onOutput();
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once('close', resolve));
      this.child.kill('SIGKILL');
      await ended;
    }
  }
}

/** A port that was free a moment ago, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
