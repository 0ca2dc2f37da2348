import { lettersOf, type SoughtPaths, unitsOf } from './soughtPaths';
import type { FuzzyParams, FuzzyResult } from './workerTypes';

/** How well a query fits, the best first; within one of these the shorter path wins. */
const tier = { name: 0, stem: 1, start: 2, word: 3, within: 4, path: 5, lettersOfName: 6, lettersOfPath: 7 } as const;
const TIER = 1_000_000;
const NONE = -1;
const SLASH = 0x2f;
const DOT = 0x2e;

interface Candidate {
  readonly score: number;
  readonly list: number;
  readonly index: number;
}

/** What is looked in: paths, and the same paths as they are looked for. */
export interface FuzzyList {
  readonly paths: readonly string[];
  readonly sought: SoughtPaths;
}

/**
 * The paths that have the query in them, letters of either case, or else its letters in their order. Where there are enough
 * of the first kind, the second is neither given nor counted. All paths fit no query, in their own order.
 */
export function fuzzyFind(lists: readonly FuzzyList[], params: FuzzyParams): FuzzyResult {
  const query = unitsOf(params.query.toLowerCase().replaceAll('\\', '/'));
  const best = new Best(params.limit);
  const chosen = lists.flatMap(({ sought }, list) =>
    list === (params.folder ?? list) ? [new QueryOnList(query, sought, (score, at) => best.add(score, list, at))] : [],
  );
  const sum = (count: (each: QueryOnList) => number): number => chosen.reduce((total, each) => total + count(each), 0);
  const ofText = sum((each) => (query.length === 0 ? each.takeAll(params.limit) : each.takeText()));
  const total = ofText + (ofText < params.limit && query.length > 0 ? sum((each) => each.takeLetters()) : 0);
  const found = best.sorted().map(({ list, index }) => ({ folder: list, path: lists[list]?.paths[index] ?? '' }));
  return { found, total };
}

/** One query on one list. What the directory of a path says of the query is found out once for the paths in a row of it. */
class QueryOnList {
  /** Where the last name of a query that is a path begins: what is before it must end the directory. */
  private readonly tail: number;
  /** What has been taken for its text. */
  private readonly taken: Uint8Array;

  constructor(
    private readonly query: Uint16Array,
    private readonly sought: SoughtPaths,
    private readonly take: (score: number, index: number) => void,
  ) {
    this.tail = query.lastIndexOf(SLASH) + 1;
    this.taken = new Uint8Array(sought.count);
  }

  /** The first ones, where nothing is asked for; gives how many there are. */
  takeAll(limit: number): number {
    const { count } = this.sought;
    for (let at = 0; at < Math.min(limit, count); at += 1) {
      this.take(0, at);
    }
    return count;
  }

  /** Those that have the whole text of the query; gives how many. */
  takeText(): number {
    const { query, tail, taken, sought } = this;
    const { starts, names, letters, rows } = sought;
    const bits = lettersOf(query);
    let total = 0;
    for (let row = 0; row + 1 < rows.length; row += 1) {
      const [first = 0, last = 0] = [rows[row], rows[row + 1]];
      const [start, name] = [starts[first] ?? 0, names[first] ?? 0];
      const has = this.directoryHas(start, name);
      const ends = tail > 0 && this.directoryEnds(start, name);
      if (!has && tail > 0 && !ends) {
        continue;
      }
      for (let at = first; at < last; at += 1) {
        const end = (starts[at + 1] ?? 0) - 1;
        let score = has ? tier.path * TIER : NONE;
        if (ends && this.isAt(names[at] ?? 0, end, tail)) {
          score = tier.path * TIER;
        } else if (tail === 0 && ((letters[at] ?? 0) & bits) === bits) {
          const ofName = this.scoreOfName(names[at] ?? 0, end);
          score = ofName === NONE ? score : ofName;
        }
        if (score !== NONE) {
          total += 1;
          taken[at] = 1;
          this.take(score + end - (starts[at] ?? 0), at);
        }
      }
    }
    return total;
  }

  /** Those that have the letters of the query in their order, and not its whole text; gives how many. */
  takeLetters(): number {
    const { query, taken, sought } = this;
    const { starts, names, letters, rows } = sought;
    let total = 0;
    for (let row = 0; row + 1 < rows.length; row += 1) {
      const [first = 0, last = 0] = [rows[row], rows[row + 1]];
      const inDirectory = this.lettersIn(starts[first] ?? 0, names[first] ?? 0);
      const left = lettersOf(query, inDirectory);
      for (let at = first; at < last; at += 1) {
        if (((letters[at] ?? 0) & left) !== left || taken[at] === 1) {
          continue;
        }
        const name = names[at] ?? 0;
        const end = (starts[at + 1] ?? 0) - 1;
        if (this.lettersIn(name, end, inDirectory) === query.length) {
          total += 1;
          const isOfName = inDirectory === 0 || this.lettersIn(name, end) === query.length;
          this.take((isOfName ? tier.lettersOfName : tier.lettersOfPath) * TIER + end - (starts[at] ?? 0), at);
        }
      }
    }
    return total;
  }

  /** By the last place where a name has the query. */
  private scoreOfName(name: number, end: number): number {
    const { units } = this.sought;
    const { length } = this.query;
    const first = this.query[0];
    for (let at = end - length; at >= name; at -= 1) {
      if (units[at] === first && this.isAt(at, end, 0)) {
        if (at === name || this.isAt(name, end, 0)) {
          const after = name + length;
          return (after === end ? tier.name : units[after] === DOT ? tier.stem : tier.start) * TIER;
        }
        return (isWordUnit(units[at - 1] ?? 0) ? tier.within : tier.word) * TIER;
      }
    }
    return NONE;
  }

  private directoryHas(start: number, name: number): boolean {
    const first = this.query[0];
    for (let at = name - this.query.length; at >= start; at -= 1) {
      if (this.sought.units[at] === first && this.isAt(at, name, 0)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the directory ends with all of the query before its last name. */
  private directoryEnds(start: number, name: number): boolean {
    const from = name - this.tail;
    return (
      from >= start && this.query.subarray(0, this.tail).every((unit, at) => this.sought.units[from + at] === unit)
    );
  }

  /** Whether the query, from one of its places on, is at a place that ends before `end`. */
  private isAt(place: number, end: number, from: number): boolean {
    const { query, sought } = this;
    if (place + query.length - from > end) {
      return false;
    }
    for (let at = from; at < query.length; at += 1) {
      if (sought.units[place + at - from] !== query[at]) {
        return false;
      }
    }
    return true;
  }

  /** How many of the query's letters there are in their order, with so many that were before. */
  private lettersIn(start: number, end: number, before = 0): number {
    const { query, sought } = this;
    const { units } = sought;
    let found = before;
    let next = query[found];
    for (let at = start; at < end && found < query.length; at += 1) {
      if (units[at] === next) {
        found += 1;
        next = found < query.length ? query[found] : undefined;
      }
    }
    return found;
  }
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
}

/** Keeps the best of many: a heap whose first is the worst that is kept. */
class Best {
  private readonly heap: Candidate[] = [];

  constructor(private readonly limit: number) {}

  add(score: number, list: number, index: number): void {
    const worst = this.heap[0];
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
