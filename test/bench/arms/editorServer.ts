import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { Server as FirstServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Server } from '@modelcontextprotocol/server';
import { EditorWindow } from '../../interop/editorServer/editorWindow';
import type { Sample } from '../measure';
import type { ServerKind } from './editorRequests';

interface Place {
  readonly port: number;
  readonly token: string;
  readonly uri: string;
  readonly home: string;
  readonly folder: string;
}

const text = 'export const value = 1;\n'.repeat(40);

/** Serves one file until its input ends; says on its first line where. Asked on its channel for one of its uses, it tells it. */
export async function editorServerArm({ server }: { readonly server: ServerKind }): Promise<Sample> {
  const { place, close } = await (server === 'portico' ? withPortico() : withHttp(listeners[server]));
  process.stdout.write(`${JSON.stringify(place)}\n`);
  process.on('message', (use) => void tellUse(use as Use));
  await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  process.disconnect();
  await close();
  return {};
}

/** What a server's process has in use: bytes of its heap once it is collected, or microseconds of processor time so far. */
export type Use = 'heap' | 'processor';

async function tellUse(use: Use): Promise<void> {
  if (use === 'processor') {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
    return;
  }
  await delay(200);
  (globalThis as { gc?: () => void }).gc?.();
  process.send?.(process.memoryUsage().heapUsed);
}

async function withPortico() {
  const window = await EditorWindow.open();
  window.editor.write('src/a.ts', text);
  window.editor.open.clear();
  const uri = window.editor.uri('src/a.ts');
  const folder = window.editor.folders.value[0]?.path ?? '';
  const place: Place = { port: Number(window.url.port), token: window.token, uri, home: window.home, folder };
  return { place, close: () => window.close() };
}

async function withHttp(listener: (path: string) => RequestListener) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portico-bench-')));
  mkdirSync(join(folder, 'src'));
  const path = join(folder, 'src/a.ts');
  writeFileSync(path, text);
  const server = createServer(listener(path));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const place: Place = { port, token: '', uri: pathToFileURL(path).href, home: folder, folder };
  return {
    place,
    close: async () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the servers of both SDKs do: no more than to read the file. */
const info = { name: 'sdk', version: '1' };
const capabilities = { tools: {}, resources: {} };
const listTools = () => ({ tools: [{ name: 'read_file', inputSchema: { type: 'object' as const } }] });

async function callTool(path: string) {
  const content = await readFile(path, 'utf8');
  return { content: [{ type: 'text' as const, text: content }], structuredContent: { text: content } };
}

async function readResource({ params: { uri } }: { readonly params: { readonly uri: string } }) {
  return { contents: [{ uri, mimeType: 'text/x-typescript', text: await readFile(fileURLToPath(uri), 'utf8') }] };
}

/** The official SDK's server and transport, a session per client, with JSON answers, which are cheaper than streams. */
function bySdk(path: string): RequestListener {
  return bySessions(async (onsessioninitialized) => {
    const server = new Server(info, { capabilities });
    server.setRequestHandler('tools/list', listTools);
    server.setRequestHandler('tools/call', () => callTool(path));
    server.setRequestHandler('resources/read', readResource);
    const options = { sessionIdGenerator: randomUUID, enableJsonResponse: true, onsessioninitialized };
    const transport = new NodeStreamableHTTPServerTransport(options);
    await server.connect(transport);
    return transport;
  });
}

/** The same by the SDK's first major version, which checks no results. */
function byFirstSdk(path: string): RequestListener {
  return bySessions(async (onsessioninitialized) => {
    const server = new FirstServer(info, { capabilities });
    server.setRequestHandler(ListToolsRequestSchema, listTools);
    server.setRequestHandler(CallToolRequestSchema, () => callTool(path));
    server.setRequestHandler(ReadResourceRequestSchema, readResource);
    const options = { sessionIdGenerator: randomUUID, enableJsonResponse: true, onsessioninitialized };
    const transport = new StreamableHTTPServerTransport(options);
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  });
}

interface Session {
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

function bySessions(open: (opened: (id: string) => void) => Promise<Session>): RequestListener {
  const sessions = new Map<string, Session>();
  return (request, response) => {
    void (async () => {
      const known = sessions.get(String(request.headers['mcp-session-id']));
      const session = known ?? (await open((id) => void sessions.set(id, session)));
      await session.handleRequest(request, response);
    })();
  };
}

/** The least that answers: JSON in, the file, JSON out. */
function byNode(path: string): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number; method: string };
      const content = readFileSync(path, 'utf8');
      const result = method === 'initialize' ? { protocolVersion: '2025-11-25' } : { contents: [{ text: content }] };
      response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json', 'mcp-session-id': 'one' });
      response.end(id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  };
}

const listeners: Readonly<Record<Exclude<ServerKind, 'portico'>, (path: string) => RequestListener>> = {
  sdk: bySdk,
  firstSdk: byFirstSdk,
  node: byNode,
};
