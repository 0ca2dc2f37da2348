import type { Tool } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import { TimeSlices } from '../../../src/base/timeSlices';
import { createCatalog } from '../../../src/core/catalog/catalog';
import type { Catalog } from '../../../src/core/catalog/catalogTypes';
import type { ServerLists } from '../../../src/core/connections/connectionTypes';
import { loopDelayDuring } from '../loopDelay';
import { median, type Sample } from '../measure';

const rounds = 7;
const none = { from: 'server', items: [], setAside: [] } as const;

/** As they come from a server, out of JSON. */
function toolsOf(server: number, count: number): readonly Tool[] {
  const list = Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    title: `Tool number ${index}`,
    description: `Does the work ${index} of server ${server}: ${'a sentence that says what it is good for. '.repeat(4)}`,
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The text.' }, count: { type: 'integer', minimum: 0 } },
      required: ['text'],
    },
  }));
  return JSON.parse(JSON.stringify(list)) as readonly Tool[];
}

function listsOf(items: readonly Tool[]): ServerLists {
  return { tools: { ...none, items }, resources: none, templates: none, prompts: none };
}

/** All of a catalog's tools, each with its names. */
function look(catalog: Catalog): void {
  const { length } = catalog.tools.value;
  if (catalog.toolByExposedName('s0_tool_0')?.chatName !== 'tool_0' || length === 0) {
    throw new Error(`the catalog of ${length} tools has not the first`);
  }
}

function timed(step: () => void): number {
  const begin = performance.now();
  step();
  return performance.now() - begin;
}

interface Subject {
  readonly catalog: Catalog;
  /** A new list of the last server, with one tool more. */
  grow(): void;
}

function catalogOf(servers: number, tools: number): Subject {
  const lists = Array.from({ length: servers }, (_, index) => signal(listsOf(toolsOf(index, tools))));
  const last = lists[servers - 1]!;
  const grown = listsOf([...last.peek().tools.items, ...toolsOf(servers - 1, tools + 1).slice(-1)]);
  return {
    catalog: createCatalog(signal(lists.map((list, index) => ({ id: `s${index}`, key: `s${index}`, lists: list })))),
    grow: () => {
      last.value = grown;
    },
  };
}

/**
 * `{servers, tools}`: a catalog of so many servers with so many tools each → ms until all of it is there, until it has one
 * server's list with one tool more, until the first search and the one after that list are answered; how long the event loop
 * was held up by these and by the schemas for models, made as for the editor's chat.
 */
export async function catalogArm({
  servers,
  tools,
}: {
  readonly servers: number;
  readonly tools: number;
}): Promise<Sample> {
  const made: number[] = [];
  const grown: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { catalog, grow } = catalogOf(servers, tools);
    made.push(timed(() => look(catalog)));
    grow();
    grown.push(timed(() => look(catalog)));
  }
  const { catalog, grow } = catalogOf(servers, tools);
  const search = async (): Promise<number> => {
    const begin = performance.now();
    await catalog.search('work number text');
    return performance.now() - begin;
  };
  let indexed = NaN;
  let followed = NaN;
  const delay = await loopDelayDuring(async () => {
    look(catalog);
    indexed = await search();
    grow();
    look(catalog);
    followed = await search();
    const slices = new TimeSlices();
    for (const tool of catalog.tools.peek()) {
      await catalog.modelSchemaOf(tool);
      if (slices.over) {
        await slices.next();
      }
    }
  });
  return { made: median(made), grown: median(grown), indexed, followed, ...delay };
}
