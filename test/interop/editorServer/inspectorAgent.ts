import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { provideWebEditor } from '../../harness/editor.mjs';
import { provideInspector } from '../../harness/inspector.mjs';
import type { EditorWindow } from './editorWindow';

export interface Inspected {
  readonly code: number | null;
  readonly result: Record<string, unknown>;
  readonly said: string;
}

/** The MCP Inspector's command line: a process, and so a whole client, for each method. */
export class Inspector {
  constructor(
    private readonly window: EditorWindow,
    private readonly era: 'legacy' | 'modern',
    private readonly over: 'http' | 'bridge',
  ) {}

  async run(method: string, ...options: readonly string[]): Promise<Inspected> {
    const [{ node }, program] = await Promise.all([provideWebEditor(), provideInspector()]);
    const { command, args, cwd, env } = this.window.bridge();
    const target =
      this.over === 'bridge'
        ? [command, ...args, '--cwd', cwd, '-e', `PORTICO_HOME=${env.PORTICO_HOME}`]
        : [
            '--server-url',
            this.window.url.href,
            '--transport',
            'http',
            '--header',
            `Authorization: ${this.window.authorization}`,
          ];
    const how = ['--format', 'json', '-q', '--protocol-era', this.era, '--method', method, ...options];
    const child = spawn(node, [program, '--cli', ...target, ...how], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        MCP_INSPECTOR_SECRET_STORE: 'memory',
        HOME: this.window.home,
        MCP_CATALOG_PATH: join(this.window.home, 'inspector.json'),
      },
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    const code = await new Promise<number | null>((done, failed) => child.on('error', failed).on('close', done));
    return { code, result: parsed(said.stdout), said: said.stdout + said.stderr };
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as { result?: Record<string, unknown> }).result ?? {};
  } catch {
    // The test tells what was said instead.
    return {};
  }
}
