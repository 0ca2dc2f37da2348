import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** All files below `folder` whose path matches, sorted; Node 20 has no `fs.globSync`. */
export function globSync(folder, pattern) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => pattern.test(path))
    .sort();
}
