import assert from 'node:assert/strict';
import { BoundedMap } from '../../../../src/vscode/interop/boundedMap';

describe('BoundedMap', () => {
  it('lets the least recently used go, above either bound', () => {
    const map = new BoundedMap<number>(3, 100);
    for (const key of ['1', '2', '3']) {
      map.set(key, Number(key), 10);
    }
    map.get('1');
    map.set('4', 4, 10);
    assert.deepEqual([...map.keys()], ['3', '1', '4']);
    map.set('5', 5, 85);
    assert.deepEqual([...map.keys()], ['4', '5']);
  });

  it('keeps the newest whatever its size, and counts a replaced or deleted one once', () => {
    const map = new BoundedMap<number>(3, 100);
    map.set('x', 1, 90);
    map.set('x', 2, 90);
    map.set('y', 3, 10);
    assert.deepEqual([map.get('x'), map.get('y')], [2, 3]);
    map.set('z', 4, 500);
    assert.deepEqual([...map.keys()], ['z']);
    map.delete('z');
    map.set('a', 5, 60);
    map.set('b', 6, 40);
    assert.deepEqual([...map.keys()], ['a', 'b']);
  });
});
