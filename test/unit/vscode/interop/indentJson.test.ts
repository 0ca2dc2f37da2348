import assert from 'node:assert/strict';
import { indentJson } from '../../../../src/vscode/interop/indentJson';

describe('indentJson', () => {
  it('gives lines as JSON.stringify would', () => {
    for (const value of [
      {},
      [],
      1,
      'a',
      { a: [1, { b: null }], c: {}, d: [] },
      [[]],
      { '{"': ':,[\\\\"' },
      [true, 'x'],
    ]) {
      assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, undefined, 2));
    }
  });

  it('keeps numbers that a double cannot hold', () => {
    assert.equal(
      indentJson('{"id":12345678901234567890,"x":1.10}'),
      '{\n  "id": 12345678901234567890,\n  "x": 1.10\n}',
    );
  });
});
