import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { signal } from '@preact/signals-core';
import { NullLogger } from '../../../src/base/log';
import { FileIndex } from '../../../src/server/editor/files/fileIndex';
import { fileUri } from '../../../src/server/editor/files/fileNames';
import { editorWorker } from '../../harness/editorWorker';
import { loopDelayDuring } from '../loopDelay';
import type { Sample } from '../measure';

const perDirectory = 50;
/** As people type them: from one letter to a name, a path, letters of a name, and what is nowhere. */
const queries = [
  '',
  'f',
  'fi',
  'file',
  'file7',
  'file77.ts',
  'dir1/',
  'dir12/sub',
  'src',
  'f7ts',
  'd9f3',
  'zzz',
  'component',
];

/** Listing, paging and completing a workspace of so many files; times in milliseconds. */
export async function editorFilesArm({ count }: { readonly count: number }): Promise<Sample> {
  const directory = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  try {
    makeFiles(directory, count);
    return await measure(directory, count);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function makeFiles(directory: string, count: number): void {
  writeFileSync(join(directory, '.gitignore'), '*.log\n/build/\nnode_modules/\n!keep.log\n');
  for (let first = 0; first < count; first += perDirectory) {
    const folder = join(directory, 'src', `dir${first % 97}`, `sub${first}`, 'components');
    mkdirSync(folder, { recursive: true });
    for (let at = first; at < Math.min(first + perDirectory, count); at += 1) {
      writeFileSync(join(folder, `file${at}.${at % 3 === 0 ? 'tsx' : 'ts'}`), '');
    }
  }
}

async function measure(path: string, count: number): Promise<Sample> {
  const never = () => ({ dispose: () => undefined });
  const folder = { name: 'ws', path, uri: fileUri(path, process.platform) };
  const index = new FileIndex(
    {
      workspace: {
        folders: signal([folder]),
        isTrusted: signal(true),
        excludes: signal({ '': ['**/.git', '**/.DS_Store', '**/node_modules', '**/*.code-search'] }),
        onDidChangeFiles: never,
      },
      documents: {
        all: () => [],
        find: () => undefined,
        load: () => Promise.reject(new Error('none')),
        onDidChange: never,
      },
      settings: signal({ secrets: ['.env*', '*.pem', 'id_rsa*', '.ssh', '.docker/config.json'] }),
      gate: { realPathOf: async () => path },
    },
    await editorWorker(),
    new NullLogger(),
  );
  try {
    let [cold, warm, all, listed] = [0, 0, 0, 0];
    const delay = await loopDelayDuring(async () => {
      cold = await time(() => index.page());
      warm = await time(() => index.page());
      all = await time(async () => {
        for (let page = await index.page(); ; page = await index.page(page.nextCursor)) {
          listed += page.files.length;
          if (page.nextCursor === undefined) {
            break;
          }
          // Each page is a request of its own.
          await setImmediate();
        }
      });
    });
    if (listed !== count + 1) {
      throw new Error(`${listed} files were listed.`);
    }
    const times: number[] = [];
    const complete = (query: string): Promise<number> =>
      time(() => index.fuzzy(query, { kind: 'file', folder, limit: 100 }));
    const completionFirst = await complete('m');
    for (let round = -1; round < 20; round += 1) {
      for (const query of queries) {
        const taken = await complete(query);
        // The first of all warms up.
        times.push(...(round < 0 ? [] : [taken]));
      }
    }
    times.sort((a, b) => a - b);
    const at = (part: number): number => times[Math.floor(times.length * part)]!;
    return { cold, warm, all, completionFirst, completionP50: at(0.5), completionP95: at(0.95), ...delay };
  } finally {
    index.dispose();
  }
}

async function time(step: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await step();
  return performance.now() - start;
}
