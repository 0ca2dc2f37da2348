import { lstat, realpath } from 'node:fs/promises';
import { pathsOf } from './fileNames';

/**
 * The real path of the deepest ancestor that is there, with the rest of the path after it; nothing for a link that leads
 * nowhere: what is written to it would land there.
 */
export async function deepestRealPath(path: string, platform: NodeJS.Platform): Promise<string | undefined> {
  const { basename, dirname, join } = pathsOf(platform);
  const rest: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    const real = await realPathIfAny(current);
    if (real !== undefined) {
      return join(real, ...rest);
    }
    if (dirname(current) === current || (await isLink(current))) {
      return undefined;
    }
    rest.unshift(basename(current));
  }
}

export async function realPathIfAny(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    // Not there, or not to be seen: both are the same to agents.
    return undefined;
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    // Not there, or not to be seen.
    return false;
  }
}
