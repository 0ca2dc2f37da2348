import assert from 'node:assert/strict';
import { effect } from '@preact/signals-core';
import { NewestList } from '../../../src/base/newestList';

describe('NewestList', () => {
  it('shows the newest first, and no more than its limit', () => {
    const list = new NewestList<number>(3);
    assert.deepEqual([list.items.value, list.newest], [[], undefined]);
    for (let count = 1; count <= 20; count += 1) {
      list.add(count);
      const all = Array.from({ length: Math.min(count, 3) }, (_, index) => count - index);
      assert.deepEqual([list.items.value, list.newest], [all, count]);
    }
    list.clear();
    assert.deepEqual([list.items.value, list.newest], [[], undefined]);
  });

  it('tells who follows it of each change, and leaves alone what was read before', () => {
    const list = new NewestList<string>(2);
    const seen: (readonly string[])[] = [];
    const stop = effect(() => void seen.push(list.items.value));
    ['a', 'b', 'c'].forEach((item) => list.add(item));
    list.clear();
    stop();
    list.add('d');
    assert.deepEqual(seen, [[], ['a'], ['b', 'a'], ['c', 'b'], []]);
  });
});
