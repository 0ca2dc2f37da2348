import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { isObject } from '../../../base/jsonObject';
import { Sequencer } from '../../../base/sequencer';
import type { CatalogTool, SearchHit } from '../catalogTypes';
import { walkSchema } from '../../../base/schemaWalk';
import { splitWords, stem } from './words';

interface Document {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly key: string;
  readonly description: string;
  readonly arguments: string;
}

/** What a tool of a server that the query names is worth more. */
const namedServer = 2;
/** How long indexing may hold the event loop, in milliseconds. */
const sliceMs = 15;
const maxWords = 40;
const maxDescription = 1_500;
const maxArguments = 60;

/** Full-text search (BM25 over fields) that follows the catalog: only what changed is indexed anew, when somebody searches. */
export class ToolSearch {
  private readonly index = new MiniSearch<Document>({
    fields: ['name', 'title', 'key', 'description', 'arguments'],
    tokenize: splitWords,
    processTerm: (term) => stem(term) ?? null,
    searchOptions: {
      boost: { name: 3, title: 1, key: 3, description: 1, arguments: 0.8 },
      prefix: (term) => term.length > 3,
      weights: { fuzzy: 0, prefix: 0.15 },
    },
  });
  private readonly ids = new Map<CatalogTool, number>();
  private readonly byId = new Map<number, CatalogTool>();
  /** By every name in lower case. */
  private readonly byName = new Map<string, Set<CatalogTool>>();
  private last: readonly CatalogTool[] = [];
  private nextId = 0;
  /** One search at a time follows the catalog. */
  private readonly turns = new Sequencer();

  async search(tools: readonly CatalogTool[], query: string, limit = 20): Promise<readonly SearchHit[]> {
    await this.turns.run(() => this.follow(tools));
    return this.rank(query, limit);
  }

  private rank(query: string, limit: number): readonly SearchHit[] {
    const text = query.slice(0, 2_000).trim();
    const words = splitWords(text).slice(0, maxWords);
    const named = new Set(words);
    const scores = new Map<CatalogTool, number>();
    const worth = new Map<string, number>();
    for (const { id, score } of this.index.search(words.join(' '))) {
      const tool = this.byId.get(id as number);
      if (tool) {
        let factor = worth.get(tool.key);
        if (factor === undefined) {
          const key = splitWords(tool.key);
          factor = key.length > 0 && key.every((word) => named.has(word)) ? namedServer : 1;
          worth.set(tool.key, factor);
        }
        scores.set(tool, score * factor);
      }
    }
    // Somebody who knows the name means that tool, whatever its words score.
    const best = [...scores.values()].reduce((a, b) => Math.max(a, b), 1);
    for (const tool of this.byName.get(text.toLowerCase()) ?? []) {
      scores.set(tool, best + 1 + (scores.get(tool) ?? 0));
    }
    return [...scores]
      .map(([tool, score]) => ({ tool, score }))
      .sort((a, b) => b.score - a.score || (a.tool.exposedName < b.tool.exposedName ? -1 : 1))
      .slice(0, Math.max(0, limit));
  }

  /** Thousands of tools are indexed in slices, so that nothing else waits for long. */
  private async follow(tools: readonly CatalogTool[]): Promise<void> {
    if (tools === this.last) {
      return;
    }
    const current = new Set(tools);
    for (const [tool, id] of this.ids) {
      if (!current.has(tool)) {
        this.index.discard(id);
        this.ids.delete(tool);
        this.byId.delete(id);
        namesOf(tool).forEach((name) => this.byName.get(name)?.delete(tool));
      }
    }
    let slice = performance.now();
    for (const tool of current) {
      if (performance.now() - slice > sliceMs) {
        await setImmediate();
        slice = performance.now();
      }
      if (!this.ids.has(tool)) {
        const id = this.nextId++;
        this.ids.set(tool, id);
        this.byId.set(id, tool);
        this.index.add(documentOf(id, tool));
        for (const name of namesOf(tool)) {
          this.byName.set(name, (this.byName.get(name) ?? new Set()).add(tool));
        }
      }
    }
    this.last = tools;
  }
}

function namesOf({ exposedName, chatName, ref }: CatalogTool): readonly string[] {
  return [exposedName, chatName, ref.name].map((name) => name.toLowerCase());
}

function documentOf(id: number, { tool, key }: CatalogTool): Document {
  const title = tool.title ?? tool.annotations?.title;
  return {
    id,
    name: tool.name,
    title: typeof title === 'string' ? title : '',
    key,
    description: typeof tool.description === 'string' ? tool.description.slice(0, maxDescription) : '',
    arguments: argumentWords(tool.inputSchema),
  };
}

/** Names of the arguments at every depth, bounded, and what the outer ones are said to be. */
function argumentWords(schema: unknown): string {
  const words: string[] = [];
  walkSchema(schema, (part) => {
    if (isObject(part['properties'])) {
      words.push(...Object.keys(part['properties']));
    }
    return words.length < maxArguments;
  });
  return words.join(' ');
}
