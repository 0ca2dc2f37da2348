import { commonEnds } from '../../../base/commonEnds';
import { isObject } from '../../../base/jsonObject';
import { walkSchema } from '../../../base/schemaWalk';
import { Sequencer } from '../../../base/sequencer';
import { TimeSlices } from '../../../base/timeSlices';
import type { CatalogTool, SearchHit } from '../catalogTypes';
import { TextIndex } from './textIndex';
import { splitWords } from './words';

/** What is found in a tool's name, its title, its server's key, its description and its arguments counts so much. */
const boosts = [3, 1, 3, 1, 0.8];
/** What a tool of a server that the query names is worth more. */
const namedServer = 2;
const maxQuery = 2_000;
const maxWords = 40;
const maxText = 1_500;
const maxArguments = 60;

interface Entry {
  readonly tool: CatalogTool;
  /** All of them, in lower case. */
  readonly names: readonly string[];
}

/** Full-text search that follows the catalog: only what changed is indexed anew, when somebody searches. */
export class ToolSearch {
  private index = new TextIndex(boosts);
  /** By their numbers in the index; nothing where a tool is gone. */
  private entries: (Entry | undefined)[] = [];
  private readonly numbers = new Map<CatalogTool, number>();
  private last: readonly CatalogTool[] = [];
  /** The index stands still while it is searched. */
  private readonly turns = new Sequencer();

  /** Thousands of tools are indexed and ranked in slices, so that nothing else waits for long. */
  search(
    tools: readonly CatalogTool[],
    query: string,
    limit = 20,
    slices = new TimeSlices(),
  ): Promise<readonly SearchHit[]> {
    return this.turns.run(async () => {
      await this.follow(tools, slices);
      return this.rank(query, Math.max(0, limit), slices);
    });
  }

  private async rank(query: string, limit: number, slices: TimeSlices): Promise<readonly SearchHit[]> {
    const text = query.slice(0, maxQuery).trim();
    const name = text.toLowerCase();
    const words = splitWords(text).slice(0, maxWords);
    const scores = await this.index.search(words, slices);
    const worthOf = worthByKey(new Set(words));
    const named: SearchHit[] = [];
    const best: SearchHit[] = [];
    for (const [number, entry] of this.entries.entries()) {
      if (entry) {
        const { tool, names } = entry;
        const score = (scores[number] ?? 0) * worthOf(tool.key);
        if (names.includes(name)) {
          insert(named, { tool, score }, limit);
        } else if (score > 0) {
          insert(best, { tool, score }, limit);
        }
      }
      if (slices.over) {
        await slices.next();
      }
    }
    // Somebody who knows the name means that tool, whatever its words score.
    const above = (best[0]?.score ?? 0) + 1;
    return [...named.map(({ tool, score }) => ({ tool, score: above + score })), ...best].slice(0, limit);
  }

  private async follow(tools: readonly CatalogTool[], slices: TimeSlices): Promise<void> {
    const { before, after } = difference(this.last, tools);
    const staying = new Set(after);
    for (const tool of before) {
      const number = this.numbers.get(tool);
      if (number !== undefined && !staying.has(tool)) {
        this.numbers.delete(tool);
        this.entries[number] = undefined;
        this.index.delete(number);
      }
      if (slices.over) {
        await slices.next();
      }
    }
    const mostAreGone = this.entries.length > 2 * this.numbers.size;
    if (mostAreGone) {
      this.index = new TextIndex(boosts);
      this.entries = [];
      this.numbers.clear();
    }
    for (const tool of mostAreGone ? tools : after) {
      if (!this.numbers.has(tool)) {
        this.numbers.set(tool, this.index.add(wordsOf(tool)));
        this.entries.push({ tool, names: namesOf(tool) });
      }
      if (slices.over) {
        await slices.next();
      }
    }
    this.last = tools;
  }
}

/** What is left of two lists without what they begin with and end in both. */
function difference<T>(before: readonly T[], after: readonly T[]): Readonly<Record<'before' | 'after', readonly T[]>> {
  const { start, end } = commonEnds(before, after);
  return { before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}

/** Puts a hit where it belongs among the best ones; of equals, the first by name comes first. */
function insert(best: SearchHit[], hit: SearchHit, limit: number): void {
  const before = ({ tool, score }: SearchHit): boolean =>
    score > hit.score || (score === hit.score && tool.exposedName < hit.tool.exposedName);
  const place = best.findLastIndex(before) + 1;
  if (place < limit) {
    best.splice(place, 0, hit);
    best.length = Math.min(best.length, limit);
  }
}

/** What a tool counts by its server's key. */
function worthByKey(words: ReadonlySet<string>): (key: string) => number {
  const known = new Map<string, number>();
  return (key) => {
    let worth = known.get(key);
    if (worth === undefined) {
      const parts = splitWords(key);
      worth = parts.length > 0 && parts.every((word) => words.has(word)) ? namedServer : 1;
      known.set(key, worth);
    }
    return worth;
  };
}

function namesOf({ exposedName, chatName, ref }: CatalogTool): readonly string[] {
  return [exposedName, chatName, ref.name].map((name) => name.toLowerCase());
}

/** A tool that was set aside may have anything for its title. */
function wordsOf({ tool, key }: CatalogTool): readonly string[][] {
  const title = tool.title ?? tool.annotations?.title;
  return [tool.name, title, key, tool.description, argumentNames(tool.inputSchema)].map((text: unknown) =>
    typeof text === 'string' ? splitWords(text.slice(0, maxText)) : [],
  );
}

/** Names of the arguments at every depth, bounded. */
function argumentNames(schema: unknown): string {
  const names: string[] = [];
  walkSchema(schema, ({ properties }) => {
    if (isObject(properties)) {
      names.push(...Object.keys(properties).slice(0, maxArguments));
    }
    return names.length < maxArguments;
  });
  return names.join(' ');
}
