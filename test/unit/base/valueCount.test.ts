import assert from 'node:assert/strict';
import { hasMoreValues } from '../../../src/base/valueCount';

describe('hasMoreValues', () => {
  it('counts a value and all that is in it', () => {
    const value = { a: [1, 2, [3]], b: null, c: {} };
    assert.equal(hasMoreValues(value, 8), false);
    assert.equal(hasMoreValues(value, 7), true);
    assert.equal(hasMoreValues('text', 1), false);
    assert.equal(hasMoreValues('text', 0), true);
  });

  it('leaves out what is in one of them', () => {
    const large = Array.from({ length: 1_000 }, () => 0);
    assert.equal(hasMoreValues({ large, small: 1 }, 3, large), false);
    assert.equal(hasMoreValues({ large, small: 1 }, 3), true);
  });
});
