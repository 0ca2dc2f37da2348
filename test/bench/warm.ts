import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { effect } from '@preact/signals-core';
import { openTestHub, type TestHub } from '../harness/testHub';
import { delayFigures, loopDelayDuring } from './loopDelay';
import { atMost, type Figure, interleave, runArm, type Sample } from './measure';

const servers = 50;
const launcher = resolve('test/bench/servers/counted.mjs');
const rawServer = resolve('test/bench/servers/rawServer.mjs');

interface WarmOptions {
  /** Holds the cached lists, and the log of starts where there was one. */
  readonly folder: string;
}

const entries = (log: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Array.from({ length: servers }, (_, index) => [
      `cached${index}`,
      { command: process.execPath, args: [launcher, rawServer, 'stdio'], env: { SPAWN_LOG: log, TOOLS: '20' } },
    ]),
  );

const open = (folder: string): Promise<TestHub> => openTestHub(entries(join(folder, 'spawned')), { folder });

/** The least that can be done: all files in, each parsed. */
async function readKept(folder: string): Promise<number> {
  const begin = performance.now();
  const files = (await readdir(folder)).map((name) => join(folder, name));
  await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as unknown));
  return performance.now() - begin;
}

/** `warm-cold` starts each server once, so that its lists are kept; `warm-raw` reads what was kept, and `warm` opens a hub on it → ms, starts. */
export async function warmArm(arm: string, { folder }: WarmOptions): Promise<Sample> {
  const log = join(folder, 'spawned');
  if (arm === 'warm-cold') {
    const test = await open(folder);
    await Promise.all(test.hub.servers.peek().map(({ id }) => test.hub.start(id, { interactive: false })));
    await test.close();
    rmSync(log, { force: true });
    return {};
  }
  if (arm === 'warm-raw') {
    return { ms: await readKept(join(folder, 'lists')) };
  }
  let ms = NaN;
  let test: TestHub | undefined;
  const delay = await loopDelayDuring(async () => {
    const begin = performance.now();
    test = await open(folder);
    const { catalog, servers: views } = test.hub;
    await new Promise<void>((done) => {
      effect(() => {
        if (views.value.length === servers && views.value.every(({ lists }) => lists.value.tools.from === 'cache')) {
          done();
        }
      });
    });
    // The last tool is found by its name, so that all have theirs.
    const last = `cached${servers - 1}_tool_19`;
    if (catalog.tools.value.length < servers * 20 || catalog.toolByExposedName(last) === undefined) {
      throw new Error(`only ${catalog.tools.value.length} tools in the catalog`);
    }
    ms = performance.now() - begin;
  });
  await test?.close();
  return { ms, started: existsSync(log) ? 1 : 0, ...delay };
}

/** From nothing to the tools of 50 servers whose lists are kept, in a fresh process each time. */
export async function warm(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-warm-'));
  try {
    await runArm('warm-cold', { folder });
    const samples = await interleave(['warm-raw', 'warm'], 7, { folder });
    const sample = samples.get('warm')!;
    return [
      atMost('warm', 'tools of 50 cached servers in the catalog', sample['ms']!, 'ms', 50),
      atMost(
        'warm',
        '50 cached servers: Portico / files read and parsed',
        sample['ms']! / samples.get('warm-raw')!['ms']!,
        '×',
      ),
      atMost('warm', 'servers started for it', sample['started']!, '', 0),
      ...delayFigures('warm', '50 cached servers', sample, 50),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
