import { execFile } from 'node:child_process';
import { posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import type { AgentEntry } from './agentTypes';

/** What a window has for agents: itself as a server, and the servers that it runs. Each is a path of its listener. */
export type Offer = 'editor' | 'gateway';

/** The program that runs the bridge. */
export interface BridgeRunner {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of Node.js, such as `22.1.0`; absent where the editor's own program stands in for it. */
  readonly version: string | undefined;
}

export interface RunnerSurroundings {
  readonly platform: NodeJS.Platform;
  /** The search path. */
  readonly path: string;
  /** The program that runs the extension. */
  readonly execPath: string;
  readonly isElectron: boolean;
  /** Asks a program for its version and for where it really is; nothing where it is not there or is no Node.js. */
  readonly ask: (file: string) => Promise<NodeFacts | undefined>;
}

export interface NodeFacts {
  readonly version: string;
  readonly execPath: string;
}

const oldestMajor = 20;
const askMs = 10_000;

/**
 * The first Node.js on the search path that the bridge can run on, by where it really is: what stands on the path may be a
 * shim, or a link that ends with the shell. Where there is none, the editor's own program.
 */
export async function findRunner(surroundings: RunnerSurroundings): Promise<BridgeRunner> {
  const { platform, path, execPath, isElectron, ask } = surroundings;
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of new Set(folders)) {
    const file = join(folder, platform === 'win32' ? 'node.exe' : 'node');
    const found = await ask(file);
    if (found && Number.parseInt(found.version, 10) >= oldestMajor) {
      // Homebrew removes what its link led to with the next upgrade; the link stays.
      const command = found.execPath.includes('/Cellar/') ? file : found.execPath;
      return { command, env: {}, version: found.version };
    }
  }
  return { command: execPath, env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {}, version: undefined };
}

/** What surrounds this process. */
export function runnerSurroundings(): RunnerSurroundings {
  return {
    platform: process.platform,
    path: process.env['PATH'] ?? '',
    execPath: process.execPath,
    isElectron: process.versions['electron'] !== undefined,
    ask: askNode,
  };
}

async function askNode(file: string): Promise<NodeFacts | undefined> {
  try {
    const script = 'JSON.stringify([process.versions.node, process.execPath])';
    const { stdout } = await promisify(execFile)(file, ['-p', script], { timeout: askMs });
    const [version, execPath] = JSON.parse(stdout) as readonly unknown[];
    return typeof version === 'string' && typeof execPath === 'string' ? { version, execPath } : undefined;
  } catch {
    // Not there, not ours to run, or something else by that name.
    return undefined;
  }
}

/** How an agent starts the bridge. `client` says who it is, so that the ledger can tell. */
export function bridgeEntry(
  { command, env }: BridgeRunner,
  launcher: string,
  offer: Offer,
  client: string | undefined,
): AgentEntry & { readonly kind: 'bridge' } {
  const args = [launcher, `--${offer}`, ...(client === undefined ? [] : ['--client', client])];
  return { kind: 'bridge', command, args, env };
}

/** A command to paste into a terminal. */
export function bridgeLine(launcher: string, platform: NodeJS.Platform): string {
  return `node ${quoted(launcher, platform)} --editor`;
}

/** One word for the shell of the platform, whatever is in it. A path on Windows has no quotes. */
function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
