import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openTestHub } from '../harness/testHub';
import { delayFigures, loopDelayDuring } from './loopDelay';
import { atMost, type Figure, interleave, type Sample } from './measure';

const counts = [1, 10, 50] as const;
const launcher = resolve('test/bench/servers/counted.mjs');
const memory = resolve('node_modules/@modelcontextprotocol/server-memory/dist/index.js');

type Started = { readonly ready: readonly Promise<unknown>[]; close(): Promise<unknown> };

async function withSdk(count: number, env: Record<string, string>): Promise<Started> {
  const clients = Array.from({ length: count }, () => new Client({ name: 'sdk', version: '1.0.0' }));
  const ready = clients.map(async (client) => {
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [launcher, memory], env, stderr: 'ignore' }),
    );
    await client.listTools();
  });
  return { ready, close: () => Promise.all(clients.map((client) => client.close())) };
}

async function withPortico(count: number, env: Record<string, string>): Promise<Started> {
  const keys = Array.from({ length: count }, (_, index) => `memory${index}`);
  const { hub, close } = await openTestHub(
    Object.fromEntries(keys.map((key) => [key, { command: process.execPath, args: [launcher, memory], env }])),
  );
  return { ready: keys.map((key) => hub.start(key, { interactive: false })), close };
}

/**
 * `{count}`: starts so many stdio servers at once → first and last ready in ms, processes that were started, and how long
 * the event loop was held up.
 */
export async function startArm(arm: string, { count }: { readonly count: number }): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-start-'));
  const log = join(folder, 'spawned');
  const env = {
    ...(process.env as Record<string, string>),
    SPAWN_LOG: log,
    MEMORY_FILE_PATH: join(folder, 'memory.json'),
  };
  const times = { first: 0, all: 0 };
  let started: Started | undefined;
  const delay = await loopDelayDuring(async () => {
    const begin = performance.now();
    started = await (arm === 'start-sdk' ? withSdk(count, env) : withPortico(count, env));
    await Promise.race(started.ready);
    times.first = performance.now() - begin;
    await Promise.all(started.ready);
    times.all = performance.now() - begin;
  });
  const spawned = readFileSync(log, 'utf8').trim().split('\n').length;
  await started?.close();
  rmSync(folder, { recursive: true, force: true });
  return { ...times, spawned, ...delay };
}

/** Many servers at once, against one alone and against the SDK's clients, which start all together. */
export async function start(): Promise<Figure[]> {
  const figures: Figure[] = [];
  let alone = NaN;
  for (const count of counts) {
    const result = await interleave(['start-sdk', 'start-portico'], count > 10 ? 1 : 3, { count });
    const sdk = result.get('start-sdk')!;
    const portico = result.get('start-portico')!;
    const figure = (name: string, value: number, unit: string, target?: number): Figure =>
      atMost('start', `${count} server${count > 1 ? 's' : ''}, ${name}`, value, unit, target);
    if (count === 1) {
      alone = portico['all']!;
    }
    figures.push(
      figure('first ready: Portico / SDK', portico['first']! / sdk['first']!, '×', count > 1 ? 1 : 1.15),
      figure('all ready: Portico / SDK', portico['all']! / sdk['all']!, '×', 1.15),
      figure('all ready: Portico / one alone', portico['all']! / alone, '×'),
      figure('processes for each: Portico', portico['spawned']! / count, '', 1),
      ...delayFigures('start', `${count} at once: Portico`, portico, 50),
    );
  }
  return figures;
}
