import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, fixtureServer } from './servers';
import type { Workbench } from './workbench';
import { wholeLines } from '../../harness/wholeLines';

/** Servers with resources of every kind, of which `today.md` of the opened folder is one; each with a log in it. */
export function shelves(...names: string[]): Record<string, Entry> {
  const entry = (name: string): Entry => ({
    ...fixtureServer('shelf', name),
    env: { WIRE_TRACE: `\${workspaceFolder}/${name}.trace`, SHELF_FILE: '${workspaceFolder}/today.md' },
  });
  return Object.fromEntries(names.map((name) => [name, entry(name)]));
}

/** What a person would see only after a change of the resource `shelf://notes/today.md`. */
export function writeToday({ folder }: Pick<Workbench, 'folder'>, text: string): void {
  writeFileSync(join(folder, 'today.md'), text);
}

interface Received {
  readonly nonce?: string;
  readonly method?: string;
  readonly params?: { readonly uri?: string };
}

/** What `shelf://notes/sizes` said, a new one at every read; the editor decides how often that is. */
export function sizesNonces(workbench: Pick<Workbench, 'folder'>, name: string): string[] {
  return trace(workbench, name).flatMap(({ nonce }) => nonce ?? []);
}

/** `method` or `method uri` of all that a shelf was sent, oldest first. */
export function received(workbench: Pick<Workbench, 'folder'>, name: string): string[] {
  return trace(workbench, name).flatMap(({ method, params }) =>
    method === undefined ? [] : [[method, params?.uri ?? ''].join(' ').trim()],
  );
}

function trace({ folder }: Pick<Workbench, 'folder'>, name: string): Received[] {
  const log = join(folder, `${name}.trace`);
  const lines = wholeLines(log);
  return lines.map((line) => JSON.parse(line) as Received);
}
