import { join } from 'node:path';
import { replaceFile } from '../../base/replaceFile';
import { makePrivateDirectory } from '../socketDirectory';
import { readPrivately } from './recordFiles';

/** A bridge that an editor has brought along. */
export interface InstalledBridge {
  /** Of the bundle. */
  readonly path: string;
  /** Of the extension, such as `1.2.3`. */
  readonly version: string;
}

/** Where agents' configs point: it stays when the extension is updated. */
export function launcherPath(home: string): string {
  return join(home, 'bridge.mjs');
}

/** The list as it is once this bridge is installed; the newest come first, and of one path there is one. */
export function withInstalled(known: readonly InstalledBridge[], added: InstalledBridge): readonly InstalledBridge[] {
  const others = known.filter(({ path }) => path !== added.path);
  return [...others, added].sort((a, b) => compareVersions(b.version, a.version)).slice(0, 20);
}

/** By their numbers; what follows a hyphen makes a version older than the one without it. */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string): readonly number[] => [
    ...(version.split('-', 1)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0),
    version.includes('-') ? 0 : 1,
  ];
  const [left, right] = [parts(a), parts(b)];
  const differing = left.findIndex((part, index) => part !== right[index]);
  return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}

/** The launcher: a program that runs the newest bridge that is still there. It must do without anything of ours. */
export const launcherSource = `// Starts the bridge of the newest Portico that is installed; Portico writes this file.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
// The windows that it is to find are recorded beside it, also where an agent does not hand PORTICO_HOME on.
process.env.PORTICO_HOME ||= fileURLToPath(new URL('.', import.meta.url));
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const list = new URL('./bridges.json', import.meta.url);
let found;
try {
  const bridges = isFile(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  found = bridges.find((bridge) => typeof bridge?.path === 'string' && isFile(bridge.path));
} catch {
  process.stderr.write('bridges.json is damaged. Open the editor: a window that shares with agents writes it anew.\\n');
  process.exit(1);
}
if (found === undefined) {
  process.stderr.write('Portico is not installed any more: its bridge is at none of the places where it was.\\n');
  process.exit(1);
}
await import(pathToFileURL(found.path).href);
`;

/** Writes the launcher and adds this bridge to those that it chooses from. Gives the launcher's path. */
export async function installLauncher(
  home: string,
  bridge: InstalledBridge,
  uid: number | undefined = process.getuid?.(),
): Promise<string> {
  await makePrivateDirectory(home, uid);
  const listPath = join(home, 'bridges.json');
  const listed = withInstalled(parseBridges(await readPrivately(listPath, uid)), bridge);
  await replaceFile(listPath, `${JSON.stringify(listed, undefined, 2)}\n`);
  await replaceFile(launcherPath(home), launcherSource);
  return launcherPath(home);
}

function parseBridges(text: string | undefined): readonly InstalledBridge[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isInstalled) : [];
  } catch {
    // A broken list is written anew.
    return [];
  }
}

function isInstalled(value: unknown): value is InstalledBridge {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'version' in value &&
    typeof value.version === 'string'
  );
}
