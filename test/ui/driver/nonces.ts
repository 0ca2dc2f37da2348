import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, fixtureServer } from './servers';
import type { Workbench } from './workbench';

/** A server whose results nobody can know beforehand, with a log of them in the opened folder. */
export function nonceServer(...args: 'stateless'[]): Entry {
  return { ...fixtureServer('nonces', ...args), env: { NONCE_LOG: '${workspaceFolder}/nonces.log' } };
}

/** What these servers did, oldest first: `nonce UUID`, `fail UUID`, `wait UUID`, `cancelled`. */
export function nonceLog({ folder }: Pick<Workbench, 'folder'>): string[] {
  const log = join(folder, 'nonces.log');
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
}

/** The nonce that was made last. */
export function lastNonce(workbench: Pick<Workbench, 'folder'>): string {
  return nonceLog(workbench).at(-1)?.split(' ')[1] ?? 'none was made';
}
