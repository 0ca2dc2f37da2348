import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openTestHub } from '../harness/testHub';
import { atMost, type Figure, interleave, type Sample } from './measure';

const servers = 10;
const launcher = resolve('test/bench/servers/counted.mjs');
const memory = resolve('node_modules/@modelcontextprotocol/server-memory/dist/index.js');

type Started = { readonly ready: readonly Promise<unknown>[]; close(): Promise<unknown> };

async function withSdk(env: Record<string, string>): Promise<Started> {
  const clients = Array.from({ length: servers }, () => new Client({ name: 'sdk', version: '1.0.0' }));
  const ready = clients.map(async (client) => {
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [launcher, memory], env, stderr: 'ignore' }),
    );
    await client.listTools();
  });
  return { ready, close: () => Promise.all(clients.map((client) => client.close())) };
}

async function withPortico(env: Record<string, string>): Promise<Started> {
  const keys = Array.from({ length: servers }, (_, index) => `memory${index}`);
  const { hub, close } = await openTestHub(
    Object.fromEntries(keys.map((key) => [key, { command: process.execPath, args: [launcher, memory], env }])),
  );
  return { ready: keys.map((key) => hub.start(key, { interactive: false })), close };
}

/** Starts ten stdio servers at once: first and last ready in ms, and how many processes that took. */
export async function startArm(arm: string): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-start-'));
  const log = join(folder, 'spawned');
  const env = {
    ...(process.env as Record<string, string>),
    SPAWN_LOG: log,
    MEMORY_FILE_PATH: join(folder, 'memory.json'),
  };
  const begin = performance.now();
  const { ready, close } = await (arm === 'start-sdk' ? withSdk(env) : withPortico(env));
  await Promise.race(ready);
  const first = performance.now() - begin;
  await Promise.all(ready);
  const all = performance.now() - begin;
  const spawned = readFileSync(log, 'utf8').trim().split('\n').length;
  await close();
  rmSync(folder, { recursive: true, force: true });
  return { first, all, spawned };
}

export async function start(): Promise<Figure[]> {
  const result = await interleave(['start-sdk', 'start-portico'], 3);
  const sdk = result.get('start-sdk')!;
  const portico = result.get('start-portico')!;
  return [
    atMost('start', 'ten servers, first ready: Portico / SDK', portico['first']! / sdk['first']!, '×', 1),
    atMost('start', 'ten servers, all ready: Portico / SDK', portico['all']! / sdk['all']!, '×', 1.15),
    atMost('start', 'processes per server: Portico', portico['spawned']! / servers, '', 1),
  ];
}
