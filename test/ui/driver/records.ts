import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Recorded {
  readonly id: string;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  readonly isTrusted: boolean;
  readonly token: string;
}

/** What windows tell agents of themselves, in Portico's home. */
export function recordsIn(home: string): Recorded[] {
  const windows = join(home, 'windows');
  const names = existsSync(windows) ? readdirSync(windows).filter((name) => name.endsWith('.json')) : [];
  return names.map((name) => JSON.parse(readFileSync(join(windows, name), 'utf8')) as Recorded);
}
