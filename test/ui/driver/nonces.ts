import { join } from 'node:path';
import { type Entry, fixtureServer } from './servers';
import type { Workbench } from './workbench';
import { wholeLines } from '../../harness/wholeLines';

/** A server whose results nobody can know beforehand, with a log of them in the opened folder. */
export function nonceServer(...args: 'stateless'[]): Entry {
  return { ...fixtureServer('nonces', ...args), env: { NONCE_LOG: '${workspaceFolder}/nonces.log' } };
}

/** What these servers did, oldest first: `nonce UUID`, `fail UUID`, `wait UUID`, `cancelled`. */
export function nonceLog({ folder }: Pick<Workbench, 'folder'>): string[] {
  return wholeLines(join(folder, 'nonces.log'));
}

/** The nonce that was made last. */
export function lastNonce(workbench: Pick<Workbench, 'folder'>): string {
  return nonceLog(workbench).at(-1)?.split(' ')[1] ?? 'none was made';
}
