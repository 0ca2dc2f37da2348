import { realpath } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { pathsOf } from './fileNames';

/**
 * The real path of the deepest ancestor that is there, with the rest of the path after it; nothing for a link that leads
 * nowhere: what is written to it would land there. Looks at no more than what is there, however long the rest is.
 */
export async function deepestRealPath(
  path: string,
  platform: NodeJS.Platform,
  isThere: (path: string) => Promise<boolean> = exists,
): Promise<string | undefined> {
  const whole = await realPathIfAny(path);
  if (whole !== undefined) {
    return whole;
  }
  const { join, parse, sep } = pathsOf(platform);
  const { root } = parse(path);
  const segments = path.slice(root.length).split(sep);
  let there = root;
  let depth = 0;
  for (const segment of segments) {
    const next = join(there, segment);
    if (!(await isThere(next))) {
      break;
    }
    there = next;
    depth += 1;
  }
  // A link that leads nowhere is there, but has no real path.
  const real = await realPathIfAny(there);
  return real === undefined ? undefined : join(real, ...segments.slice(depth));
}

export async function realPathIfAny(path: string): Promise<string | undefined> {
  try {
    return await new Promise<string>((resolve, reject) =>
      realpath.native(path, (error, real) => (error ? reject(error) : resolve(real))),
    );
  } catch {
    // Not there, or not to be seen: both are the same to agents.
    return undefined;
  }
}

/**
 * The real paths of the few directories that every name is held against, as they were when they were first asked for. One that
 * is replaced by a link meanwhile does not lead elsewhere for that: nobody shared what it leads to.
 */
export class RealPaths {
  private known: ReadonlyMap<string, Promise<string | undefined>> = new Map();

  /** Nothing for what is not there. Those that are no longer asked for are forgotten. */
  async of(paths: readonly string[]): Promise<readonly (string | undefined)[]> {
    let { known } = this;
    if (paths.length !== known.size || paths.some((path) => !known.has(path))) {
      known = new Map(paths.map((path) => [path, this.known.get(path) ?? realPathIfAny(path)]));
      this.known = known;
    }
    const found = await Promise.all(paths.map(async (path) => known.get(path)));
    if (found.includes(undefined) && this.known === known) {
      // What is not there is looked for again.
      this.known = new Map([...known].filter(([path]) => found[paths.indexOf(path)] !== undefined));
    }
    return found;
  }
}

/** Whether the name is taken, if only by a link. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    // Not there, or not to be seen.
    return false;
  }
}
