import { resolve } from 'node:path';

/** An entry of `portico.servers`. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
}

/** A real server of node_modules, without network and package runner. */
export function realServer(name: 'everything' | 'filesystem' | 'memory', ...args: string[]): Entry {
  return node(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, args);
}

/** A program of test/fixtures/servers. */
export function fixtureServer(name: string, ...args: string[]): Entry {
  return node(`test/fixtures/servers/${name}.mjs`, args);
}

function node(path: string, args: readonly string[]): Entry {
  return { command: process.execPath, args: [resolve(path), ...args] };
}
