import { resolve } from 'node:path';
import { provideJava, providePython } from '../harness/toolchains.mjs';

/** An entry of `portico.servers`, or why there is none here. */
export type Provided = { readonly entry: object } | { readonly missing: string };

const file = (name: string): string => resolve('test/fixtures/peers', name);
const REFERENCE = ['mcp-server-git==2026.10.19', 'mcp-server-time==2026.10.19', 'mcp-server-fetch==2026.10.24'];

async function inPython(name: string, requirements: readonly string[], ...args: readonly string[]): Promise<Provided> {
  const provided = await providePython(name, requirements);
  return 'missing' in provided ? provided : { entry: { command: provided.python, args } };
}

/** The peers of test/fixtures/peers: the same tools, a prompt and 25 resources, written with SDKs that are not ours. */
export const peers = {
  'Python SDK 1, FastMCP': () => inPython('sdk1', ['mcp==1.30.0'], file('fastmcp.py')),
  'Python SDK 2, MCPServer': () => inPython('sdk2', ['mcp==2.3.0'], file('mcpserver.py')),
  'Java SDK 2': async (): Promise<Provided> => {
    const provided = await provideJava(file('Peer.java'), file('pom.xml'));
    return 'missing' in provided
      ? provided
      : { entry: { command: 'java', args: ['-XX:TieredStopAtLevel=1', '-cp', provided.classPath, 'Peer'] } };
  },
} as const;

/** Reference servers from PyPI. `folder` is a Git repository and may hold the database. */
export const pythonServers = {
  git: (folder: string) => inPython('reference', REFERENCE, '-m', 'mcp_server_git', '--repository', folder),
  time: () => inPython('reference', REFERENCE, '-m', 'mcp_server_time', '--local-timezone', 'UTC'),
  fetch: () => inPython('reference', REFERENCE, '-m', 'mcp_server_fetch', '--ignore-robots-txt', '--allow-private-ips'),
  sqlite: (folder: string) =>
    inPython(
      'sqlite',
      ['mcp-server-sqlite==2025.4.25', 'mcp==1.30.0'],
      '-c',
      'from mcp_server_sqlite import main; main()',
      '--db-path',
      resolve(folder, 'data.sqlite'),
    ),
} as const;
