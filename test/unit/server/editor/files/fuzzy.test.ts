import assert from 'node:assert/strict';
import { FileList } from '../../../../../src/server/editor/files/worker/fileList';
import { fuzzyFind } from '../../../../../src/server/editor/files/worker/fuzzy';
import type { FuzzyResult } from '../../../../../src/server/editor/files/worker/workerTypes';

/** The same, told in strings: how well each path fits, then the best of them. */
function plainFind(lists: readonly (readonly string[])[], asked: string, limit: number): FuzzyResult {
  const query = asked.toLowerCase().replaceAll('\\', '/');
  const all = lists.flatMap((paths, folder) => paths.map((path) => ({ folder, path })));
  const fitting = (rankOf: (lowered: string) => number | undefined) =>
    all.flatMap((each) => {
      const rank = rankOf(each.path.toLowerCase());
      return rank === undefined ? [] : [{ ...each, rank: query === '' ? 0 : rank * 1e6 + each.path.length }];
    });
  let found = fitting((lowered) => rankOfText(lowered, query));
  if (found.length < limit && query !== '') {
    found = [...found, ...fitting((lowered) => (lowered.includes(query) ? undefined : rankOfLetters(lowered, query)))];
  }
  const best = [...found].sort((a, b) => a.rank - b.rank).slice(0, limit);
  return { found: best.map(({ folder, path }) => ({ folder, path })), total: found.length };
}

function rankOfText(lowered: string, query: string): number | undefined {
  const at = lowered.lastIndexOf(query);
  const name = lowered.lastIndexOf('/') + 1;
  if (at < name) {
    return at < 0 ? undefined : 5;
  }
  if (lowered.startsWith(query, name)) {
    const rest = lowered.slice(name + query.length);
    return rest === '' ? 0 : rest.startsWith('.') ? 1 : 2;
  }
  return /[a-z0-9]/.test(lowered[at - 1] ?? '') ? 4 : 3;
}

function rankOfLetters(lowered: string, query: string): number | undefined {
  const has = (text: string): boolean => {
    let next = 0;
    for (let at = 0; at < text.length && next < query.length; at += 1) {
      next += text[at] === query[next] ? 1 : 0;
    }
    return next === query.length;
  };
  return has(lowered.slice(lowered.lastIndexOf('/') + 1)) ? 6 : has(lowered) ? 7 : undefined;
}

describe('finding paths', () => {
  /** The same every time. */
  function* numbers(): Generator<number, never> {
    for (let state = 7; ;) {
      state = (state * 48_271) % 2_147_483_647;
      yield state;
    }
  }

  it('is the same as by strings, for thousands of queries', () => {
    const random = numbers();
    const below = (limit: number): number => random.next().value % limit;
    const word = (most: number): string =>
      Array.from({ length: 1 + below(most) }, () => 'abAB1.äß_'[below(9)]).join('');
    const path = (): string => Array.from({ length: 1 + below(3) }, () => word(4)).join('/');
    for (let round = 0; round < 40; round += 1) {
      const lists = [0, 1].map(() => {
        const list = new FileList();
        [...new Set(Array.from({ length: below(60) }, path))].forEach((each) => list.insert(each));
        return list;
      });
      for (let count = 0; count < 60; count += 1) {
        const query = below(3) === 0 ? path() : word(3) + (below(4) === 0 ? '/' : '');
        const limit = 1 + below(12);
        const plain = plainFind(
          lists.map(({ paths }) => paths),
          query,
          limit,
        );
        assert.deepEqual(fuzzyFind(lists, { query, kind: 'file', limit }), plain, query);
        // A list that has changed since it was last looked in.
        lists[0]?.remove(lists[0].paths[below(60)] ?? '');
      }
    }
  });

  it('gives the first ones where nothing is asked for, and one folder alone where one is named', () => {
    const lists = ['a.ts', 'b.ts'].map((path) => {
      const list = new FileList();
      list.insert(path);
      return list;
    });
    const empty = { query: '', kind: 'file', limit: 1 } as const;
    assert.deepEqual(fuzzyFind(lists, empty), { found: [{ folder: 0, path: 'a.ts' }], total: 2 });
    const second = fuzzyFind(lists, { ...empty, query: 'ts', folder: 1 });
    assert.deepEqual(second, { found: [{ folder: 1, path: 'b.ts' }], total: 1 });
    assert.deepEqual(fuzzyFind([new FileList()], { ...empty, query: 'ts' }), { found: [], total: 0 });
  });
});
