import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort, type ServerProgram } from './httpServer';

const program = (path: string): string => resolve('node_modules', path);
const EVERYTHING = program('@modelcontextprotocol/server-everything/dist/index.js');
const FILESYSTEM = program('@modelcontextprotocol/server-filesystem/dist/index.js');
const MEMORY = program('@modelcontextprotocol/server-memory/dist/index.js');
const CONTEXT7 = program('@upstash/context7-mcp/dist/index.js');

export const everythingEntry = { command: process.execPath, args: [EVERYTHING] };

/** Entries of the servers over stdio; each of their processes adds its id to the file `starts`. */
export function stdioEntries(folder: string, starts: string, context7Api: string): Record<string, object> {
  const recordStart = pathToFileURL(resolve('test/interop/recordStart.mjs')).href;
  const entry = (env: Record<string, string>, ...args: string[]): object => ({
    command: process.execPath,
    args: ['--import', recordStart, ...args],
    env: { INTEROP_STARTS: starts, ...env },
  });
  return {
    everything: entry({}, EVERYTHING, 'stdio'),
    filesystem: entry({}, FILESYSTEM, folder),
    memory: entry({ MEMORY_FILE_PATH: resolve(folder, 'memory.json') }, MEMORY),
    context7: entry(context7Environment(context7Api), CONTEXT7),
  };
}

/** `where` is `streamableHttp` or `sse`. */
export async function remoteEverything(where: string): Promise<ServerProgram & { readonly url: string }> {
  const port = await freePort();
  return {
    args: [EVERYTHING, where],
    env: { PORT: String(port) },
    listening: /on port \d/,
    url: `http://localhost:${port}/${where === 'sse' ? 'sse' : 'mcp'}`,
  };
}

export async function remoteContext7(api: string): Promise<ServerProgram & { readonly url: string }> {
  const port = await freePort();
  return {
    args: [CONTEXT7, '--transport', 'http', '--port', String(port)],
    env: context7Environment(api),
    listening: /running on HTTP/,
    url: `http://localhost:${port}/mcp`,
  };
}

/** Asks the API here, past any proxy, instead of the real one. */
function context7Environment(api: string): Record<string, string> {
  return { CONTEXT7_API_URL: api, HTTPS_PROXY: '' };
}
