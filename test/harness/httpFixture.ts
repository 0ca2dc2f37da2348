import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface FixtureServer {
  readonly url: string;
  /** Asks it at another path; it answers with JSON. */
  control(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Runs a fixture that serves HTTP and prints its address first. */
export async function startFixture(name: string, ...args: string[]): Promise<FixtureServer> {
  const child: ChildProcess = spawn(process.execPath, [`test/fixtures/servers/${name}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) {
    throw new Error('It has no output.');
  }
  const [line] = await once(createInterface(child.stdout), 'line');
  const url = String(line);
  return {
    url,
    control: async (path) => (await fetch(new URL(path, url), { method: 'POST' })).json(),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
