import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Workbench } from './workbench';

type Entry = Readonly<Record<string, unknown>>;

const modules = resolve('node_modules');
const fixtures = resolve('test/fixtures/servers');

function node(program: string, ...args: string[]): Entry {
  return { command: process.execPath, args: [program, ...args] };
}

/** Config entries of servers for the workbench: real ones, and fixtures with a habit. */
export const entries = {
  /** server-filesystem on the opened folder. */
  files: node(join(modules, '@modelcontextprotocol/server-filesystem/dist/index.js'), '${workspaceFolder}'),
  everything: node(join(modules, '@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'),
  /** Speaks 2026-07-28 alone. */
  stateless: node(join(fixtures, 'stateless.mjs')),
  /** Takes what it is sent and never answers. */
  hanger: node(join(fixtures, 'mute.mjs')),
  /** Its results are random, and its log has them; see {@link nonces}. */
  nonces: { ...node(join(fixtures, 'nonces.mjs')), env: { NONCE_LOG: '${workspaceFolder}/nonces.log' } },
} as const satisfies Readonly<Record<string, Entry>>;

/** What the server `nonces` did, oldest first: `nonce UUID`, `fail UUID`, `wait UUID`, `cancelled`. */
export function nonces({ folder }: Pick<Workbench, 'folder'>): string[] {
  const log = join(folder, 'nonces.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}
