import assert from 'node:assert/strict';
import { jsonPieces, jsonStart, stringifyInSlices } from '../../../src/base/jsonPieces';

const long = 'é🎉"\\\n'.repeat(20_000);
const many = Array.from({ length: 30_000 }, (_, index) => ({ index, name: `name ${index}`, on: true, none: null }));

const values: readonly unknown[] = [
  null,
  1,
  'text',
  [],
  {},
  { a: undefined, b: 1 },
  long,
  `x${long}`,
  '\ud83c'.repeat(100_000),
  many,
  { many, long, 'a "name"': long, [long]: 1, empty: {}, list: [[], long, 1, many] },
  { a: many, b: undefined, c: undefined, d: 1 },
  Object.fromEntries(many.map(({ index }) => [index % 2 ? `k${index}` : `${index}`, index])),
  [[[many]]],
  [undefined, many, undefined],
  JSON.parse(`{"__proto__":[${'1,'.repeat(100_000)}1],"b":1}`),
];

describe('jsonPieces', () => {
  it('writes what JSON.stringify writes', async () => {
    for (const value of values) {
      const text = JSON.stringify(value);
      assert.ok([...jsonPieces(value)].join('') === text, text.slice(0, 80));
      assert.ok(Buffer.concat(await stringifyInSlices(value)).toString() === text, text.slice(0, 80));
      for (const length of [0, 7, 4_000, 70_000]) {
        assert.ok(jsonStart(value, length) === text.slice(0, length), text.slice(0, 80));
      }
    }
  });

  it('writes short pieces', () => {
    for (const value of values) {
      const longest = Math.max(...Array.from(jsonPieces(value), ({ length }) => length));
      // A control character takes six, and a name is written whole.
      assert.ok(longest < 7 * 32_768 || longest === JSON.stringify(long).length + 1, `${longest} characters`);
    }
  });
});
