import { existsSync, readFileSync } from 'node:fs';

/** The lines of a log that a fixture writes: none before it exists, and not the one that is being written, which has no end yet. */
export function wholeLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
