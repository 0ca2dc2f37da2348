import assert from 'node:assert/strict';
import { shortCopy } from '../../../src/base/shortCopy';

describe('shortCopy', () => {
  it('is the whole of a short text and the beginning of a long one', () => {
    assert.equal(shortCopy('', 3), '');
    assert.equal(shortCopy('äöü', 3), 'äöü');
    assert.equal(shortCopy('äöüß', 3), 'äöü');
  });

  it('does not cut a character in two', () => {
    assert.equal(shortCopy('ab🦀c', 3), 'ab');
    assert.equal(shortCopy('a🦀', 3), 'a🦀');
    assert.equal(shortCopy('a🦀b', 3), 'a🦀');
  });
});
