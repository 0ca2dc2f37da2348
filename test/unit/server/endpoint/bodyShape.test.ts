import assert from 'node:assert/strict';
import { BodyShape } from '../../../../src/server/endpoint/bodyShape';

/** No step is longer, in characters, but for the one behind a backslash. */
const step = 262_144;

/** What it is found to be, and in how many steps. */
function lookedAt(text: string): readonly [fault: string, steps: number] {
  const shape = new BodyShape(text);
  for (let steps = 1; ; steps += 1) {
    const fault = shape.step();
    if (fault !== undefined) {
      return [fault, steps];
    }
  }
}

describe('the shape of a body', () => {
  const length = 4 * step;
  for (const [what, text] of [
    ['numbers', `[${'1,'.repeat(length / 2)}1]`],
    ['one long string', JSON.stringify('x'.repeat(length))],
    ['one string of escaped quotes', JSON.stringify('"'.repeat(length / 2))],
    ['one string of backslashes', JSON.stringify('\\'.repeat(length / 2))],
    ['one string that does not end', `"${'\\"'.repeat(length / 2 + 1)}`],
    ['short strings', JSON.stringify(Array.from({ length: length / 4 }, () => 'x'))],
  ] as const) {
    it(`is looked at in steps: ${what}`, () => {
      assert.deepEqual(lookedAt(text), ['', Math.ceil(text.length / step)]);
    });
  }

  it('is the same wherever a step ends', () => {
    const deep = '['.repeat(201);
    for (const end of ['x', '\\\\', '\\"', '\\\\\\"', '\\"\\\\', '\\\\\\\\\\"x', '""']) {
      for (let before = step - 12; before <= step + 2; before += 1) {
        const string = `"${'x'.repeat(before)}${end}`;
        assert.deepEqual(lookedAt(`[${string}",${deep}`)[0], 'the body is nested too deeply', `${end} ${before}`);
        assert.deepEqual(lookedAt(`[${string}${deep}"]`)[0], '', `${end} ${before}`);
      }
    }
  });

  it('has only so many levels and members of an object', () => {
    assert.equal(lookedAt(`${'['.repeat(200)}${']'.repeat(200)}`)[0], '');
    assert.equal(lookedAt('[{'.repeat(101))[0], 'the body is nested too deeply');
    const members = (count: number): string => `{${Array.from({ length: count }, (_each, at) => `"${at}":0`).join()}}`;
    assert.equal(lookedAt(`[${members(50_000)},${members(50_000)}]`)[0], '');
    assert.equal(lookedAt(members(50_001))[0], 'an object in the body has more than 50000 members');
    assert.equal(lookedAt(JSON.stringify([':'.repeat(60_000)]))[0], '');
  });
});
