import { type FileList, lettersOf, type SoughtPath } from './fileList';
import type { FuzzyParams, FuzzyResult } from './workerTypes';

/** How well a query fits, the best first; within one of these the shorter path wins. */
const tier = { name: 0, stem: 1, start: 2, word: 3, within: 4, path: 5, lettersOfName: 6, lettersOfPath: 7 } as const;
const TIER = 1_000_000;

interface Candidate {
  readonly score: number;
  readonly list: number;
  readonly index: number;
}

/**
 * The paths that have the query in them, letters of either case, or else its letters in their order. Where there are enough
 * of the first kind, the second is neither given nor counted.
 */
export function fuzzyFind(lists: readonly Pick<FileList, 'sought' | 'paths'>[], params: FuzzyParams): FuzzyResult {
  const query = params.query.toLowerCase().replaceAll('\\', '/');
  const chosen = lists
    .map((list, index) => ({ list, index }))
    .filter(({ index }) => index === (params.folder ?? index));
  const letters = lettersOf(query);
  const best = new Best(params.limit);
  let total = 0;
  for (const scoreOf of [scoreOfText, scoreOfLetters]) {
    for (const { list, index } of chosen) {
      for (let at = 0; at < list.sought.length; at += 1) {
        const path = list.sought[at];
        const score = path && (path.letters & letters) === letters ? scoreOf(path, query) : undefined;
        if (score !== undefined) {
          total += 1;
          best.add(score, index, at);
        }
      }
    }
    if (total >= params.limit || query === '') {
      break;
    }
  }
  const found = best.sorted().map(({ list, index }) => ({ folder: list, path: lists[list]?.paths[index] ?? '' }));
  return { found, total };
}

/** By the whole text of the query; all paths fit none, in their own order. */
function scoreOfText({ lowered, name }: SoughtPath, query: string): number | undefined {
  if (query === '') {
    return 0;
  }
  const at = lowered.lastIndexOf(query);
  if (at < 0) {
    return undefined;
  }
  if (at < name) {
    return tier.path * TIER + lowered.length;
  }
  if (at === name || lowered.startsWith(query, name)) {
    const end = name + query.length;
    const kind = end === lowered.length ? tier.name : lowered[end] === '.' ? tier.stem : tier.start;
    return kind * TIER + lowered.length;
  }
  return (isWordCode(lowered.charCodeAt(at - 1)) ? tier.within : tier.word) * TIER + lowered.length;
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** By the letters of the query in their order, where its whole text is not there. */
function scoreOfLetters({ lowered, name }: SoughtPath, query: string): number | undefined {
  if (!hasLetters(lowered, query, 0) || lowered.includes(query)) {
    return undefined;
  }
  return (hasLetters(lowered, query, name) ? tier.lettersOfName : tier.lettersOfPath) * TIER + lowered.length;
}

function hasLetters(path: string, query: string, from: number): boolean {
  let next = 0;
  for (let at = from; at < path.length; at += 1) {
    if (path.charCodeAt(at) === query.charCodeAt(next)) {
      next += 1;
      if (next === query.length) {
        return true;
      }
    }
  }
  return false;
}

/** Keeps the best of many: a heap whose first is the worst that is kept. */
class Best {
  private readonly heap: Candidate[] = [];

  constructor(private readonly limit: number) {}

  add(score: number, list: number, index: number): void {
    const [worst] = this.heap;
    if (this.heap.length < this.limit) {
      this.heap.push({ score, list, index });
      this.rise(this.heap.length - 1);
    } else if (worst && score < worst.score) {
      this.heap[0] = { score, list, index };
      this.sink();
    }
  }

  sorted(): readonly Candidate[] {
    return this.heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
  }

  private rise(start: number): void {
    for (let at = start; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.swapIfWorse(at, parent)) {
        return;
      }
      at = parent;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const [a, b] = [this.heap[left], this.heap[right]];
      const child = a && b && isWorse(b, a) ? right : left;
      if (!this.swapIfWorse(child, at)) {
        return;
      }
      at = child;
    }
  }

  private swapIfWorse(child: number, parent: number): boolean {
    const [below, above] = [this.heap[child], this.heap[parent]];
    if (!below || !above || !isWorse(below, above)) {
      return false;
    }
    this.heap[parent] = below;
    this.heap[child] = above;
    return true;
  }
}

function isWorse(a: Candidate, b: Candidate): boolean {
  return a.score !== b.score ? a.score > b.score : a.list !== b.list ? a.list > b.list : a.index > b.index;
}
