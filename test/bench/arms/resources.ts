import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Resource } from '@modelcontextprotocol/client';
import type { CatalogEntry, ResourceTree } from '../../../src/core/catalog/catalogTypes';
import { makeTree } from '../../../src/core/catalog/resources/resourceTree';
import { searchResources } from '../../../src/core/catalog/search/resourceSearch';
import { median, type Sample } from '../measure';

const queries = ['row', 'harbour table 7', 'row 99 harbour', 'nothing at all', 'bench://table/row-5', 'r'];

/** One server's resources in one folder, not in order: the hardest for a tree. As they come from a server, out of JSON. */
function listOf(count: number): readonly Resource[] {
  const list = Array.from({ length: count }, (_, index) => ({
    uri: `bench://table/row-${(index * 7_919) % count}.md`,
    name: `Row ${index}`,
    description: 'A row of the table of the harbour, with some words that say what it is about.',
    mimeType: 'text/markdown',
  }));
  return JSON.parse(JSON.stringify(list)) as readonly Resource[];
}

/** Opens every level on the way to the first resource; the slowest, in microseconds. */
function slowestLevel(tree: ResourceTree): number {
  let slowest = 0;
  let parent: string | undefined;
  for (;;) {
    const start = performance.now();
    const [first] = tree.children(parent);
    slowest = Math.max(slowest, (performance.now() - start) * 1_000);
    if (first?.kind !== 'folder') {
      return slowest;
    }
    parent = first.id;
  }
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What one collection frees may hold more.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** `{count}` → opening a level (µs), the slowest search (ms), bytes per resource beyond the list, and what the making took (ms). */
export async function resourcesArm({ count }: { readonly count: number }): Promise<Sample> {
  // The code is warm before the sizes are compared.
  slowestLevel(await makeTree(listOf(2_000)));

  const list = listOf(count);
  const entries: readonly CatalogEntry<Resource>[] = list.map((item) => ({ server: 'bench', key: 'bench', item }));
  const before = heapUsed();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const tree = await makeTree(list);
  const made = performance.now() - start;
  await searchResources([entries], 'row', 200);
  delay.disable();
  const bytes = (heapUsed() - before) / count;

  const searches: number[] = [];
  for (const query of queries) {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const begin = performance.now();
      await searchResources([entries], query, 200);
      times.push(performance.now() - begin);
    }
    searches.push(median(times));
  }

  // The tree that was made first is in use until here, or its memory would not be counted.
  const levels = [slowestLevel(tree)];
  for (let round = 0; round < 4; round += 1) {
    levels.push(slowestLevel(await makeTree(listOf(count))));
  }
  return { level: median(levels), search: Math.max(...searches), bytes, made, delay: delay.max / 1e6 };
}
