import type { Resource } from '@modelcontextprotocol/client';
import { TimeSlices } from '../../../base/timeSlices';
import type { CatalogEntry } from '../catalogTypes';
import { toLabel } from '../resources/resourcePath';
import { fold } from './fold';

type Entries = readonly CatalogEntry<Resource>[];

/** A resource's folded texts, one a line: name, title, URI, the URI decoded where that differs, description. */
interface Texts {
  readonly text: string;
  /** Where the URI starts, and where the description does. */
  readonly uri: number;
  readonly description: number;
}

/** Where a word stands, the best place last. */
const enum Rank {
  description,
  uri,
  inName,
  wordStart,
  nameStart,
  wholeName,
}

const MAX_WORDS = 20;
const MAX_QUERY = 1_000;
const MAX_TEXT = 1_000;

const indexes = new WeakMap<Entries, Promise<readonly Texts[]>>();

/** Searches lists of resources; a list is indexed when it is searched first. Of equals, the first listed comes first. */
export async function searchResources(
  lists: readonly Entries[],
  query: string,
  limit: number,
  slices = new TimeSlices(),
): Promise<Entries> {
  const words = [...new Set(fold(query.slice(0, MAX_QUERY)).match(/\S+/g))].slice(0, MAX_WORDS);
  // The longest is the rarest as a rule.
  words.sort((a, b) => b.length - a.length);
  const hits: CatalogEntry<Resource>[][] = [];
  for (const entries of lists) {
    const index = await indexOf(entries, slices);
    for (const [position, entry] of entries.entries()) {
      const texts = index[position];
      const score = texts && scoreOf(texts, words);
      if (score !== undefined) {
        const equals = (hits[score] ??= []);
        if (equals.length < limit) {
          equals.push(entry);
        }
      }
      if (slices.over) {
        await slices.next();
      }
    }
  }
  return hits.reverse().flat().slice(0, Math.max(0, limit));
}

function indexOf(entries: Entries, slices: TimeSlices): Promise<readonly Texts[]> {
  const index = indexes.get(entries) ?? makeIndex(entries, slices);
  indexes.set(entries, index);
  return index;
}

async function makeIndex(entries: Entries, slices: TimeSlices): Promise<readonly Texts[]> {
  const index: Texts[] = [];
  for (const { item } of entries) {
    index.push(textsOf(item));
    if (slices.over) {
      await slices.next();
    }
  }
  return index;
}

/** An entry that was set aside may hold anything. */
function textsOf({ name, title, uri, description }: Partial<Record<keyof Resource, unknown>>): Texts {
  const line = (text: unknown): string => (typeof text === 'string' ? fold(text.slice(0, MAX_TEXT)) : '');
  const names = `\n${line(name)}\n${line(title)}\n`;
  const readable = typeof uri === 'string' && uri.includes('%') ? `${line(toLabel(uri))}\n` : '';
  const uris = `${line(uri)}\n${readable}`;
  // Joined, not added: what is searched often should be one flat string.
  return {
    text: [names, uris, line(description)].join(''),
    uri: names.length,
    description: names.length + uris.length,
  };
}

/** Nothing where a word is missing. */
function scoreOf(texts: Texts, words: readonly string[]): number | undefined {
  let score = 0;
  for (const word of words) {
    const first = texts.text.indexOf(word);
    if (first < 0) {
      return undefined;
    }
    score += rankOf(texts, word, first);
  }
  return score;
}

function rankOf({ text, uri, description }: Texts, word: string, first: number): Rank {
  if (first >= uri) {
    return first >= description ? Rank.description : Rank.uri;
  }
  let best = Rank.inName;
  for (let at = first; at >= 0 && at < uri && best < Rank.wholeName; at = text.indexOf(word, at + 1)) {
    best = Math.max(best, rankAt(text, word, at));
  }
  return best;
}

function rankAt(text: string, word: string, at: number): Rank {
  if (text[at - 1] === '\n') {
    return text[at + word.length] === '\n' ? Rank.wholeName : Rank.nameStart;
  }
  return /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? Rank.inName : Rank.wordStart;
}
