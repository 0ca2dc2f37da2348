import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort, type ServerProgram } from './httpServer';

const program = (path: string): string => resolve('node_modules', path);
const EVERYTHING = program('@modelcontextprotocol/server-everything/dist/index.js');
const FILESYSTEM = program('@modelcontextprotocol/server-filesystem/dist/index.js');
const MEMORY = program('@modelcontextprotocol/server-memory/dist/index.js');
const CONTEXT7 = program('@upstash/context7-mcp/dist/index.js');

const PLAYWRIGHT = program('@playwright/mcp/cli.js');
const DEVTOOLS = program('chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js');
const HELLO_WORLD = program('mcp-hello-world/build/http.js');
const MCP_REMOTE = program('mcp-remote/dist/proxy.js');
const SUPERGATEWAY = program('supergateway/dist/index.js');
const MCP_PROXY = program('mcp-proxy/dist/bin/mcp-proxy.mjs');

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

/** Servers that drive a browser; none starts before a tool asks for it. */
export const browserEntries = {
  playwright: { command: process.execPath, args: [PLAYWRIGHT, '--headless'] },
  'chrome-devtools': { command: process.execPath, args: [DEVTOOLS, '--headless'], env: { CI: 'true' } },
};

export async function remoteHelloWorld(): Promise<ServerProgram & { readonly url: string }> {
  const port = await freePort();
  return {
    args: [HELLO_WORLD],
    env: { PORT: String(port) },
    listening: /running on http/,
    url: `http://localhost:${port}/sse`,
  };
}

/** A bridge over stdio to a remote server; `folder` is where it keeps what it knows. */
export function mcpRemoteEntry(url: string, folder: string): object {
  const args = [MCP_REMOTE, url, '--allow-http', '--transport', 'http-only'];
  return { command: process.execPath, args, env: { MCP_REMOTE_CONFIG_DIR: folder } };
}

/** Bridges that put the file system server, which speaks stdio alone, behind Streamable HTTP. */
export const httpBridges = {
  supergateway: async (folder: string): Promise<ServerProgram & { readonly url: string }> => {
    const port = await freePort();
    const stdio = `${process.execPath} ${FILESYSTEM} ${folder}`;
    return {
      args: [SUPERGATEWAY, '--stdio', stdio, '--outputTransport', 'streamableHttp', '--stateful', '--port', `${port}`],
      listening: /Listening on port/,
      url: `http://localhost:${port}/mcp`,
    };
  },
  'mcp-proxy': async (folder: string): Promise<ServerProgram & { readonly url: string }> => {
    const port = await freePort();
    return {
      args: [MCP_PROXY, '--port', String(port), '--', process.execPath, FILESYSTEM, folder],
      listening: /starting server on port/,
      url: `http://localhost:${port}/mcp`,
    };
  },
};
