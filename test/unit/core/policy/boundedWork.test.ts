import assert from 'node:assert/strict';
import { compileSchema } from '../../../../src/core/policy/compileSchema';
import { RecordingLogger } from './policyFixtures';

const tooLong = ['anything, for taking too long to check'];

/** The clock of a machine on which nothing takes any time. */
const atOnce = (): number => 0;

/** What a check says of a value, and what it left out. */
function outcome(schema: object, value: unknown, which: 'input' | 'output' = 'output', now?: () => number) {
  const skipped: string[] = [];
  const log = new RecordingLogger();
  const check = compileSchema(schema, which, 'the schema', log, now);
  const sentence = check(value, (what) => skipped.push(what))?.sentence;
  return { sentence, skipped, warnings: log.warnings };
}

const range = <T>(length: number, of: (index: number) => T): T[] => Array.from({ length }, (_, index) => of(index));
const deep = (levels: number): object => (levels === 0 ? { k: 1 } : { k: deep(levels - 1) });

describe('the work of a check against a schema', function () {
  // What is not bounded takes minutes here, or all memory.
  this.timeout(20_000);
  const branch = { type: 'object', properties: { k: { $ref: '#/$defs/n' } } };
  const recursion = { $ref: '#/$defs/n', $defs: { n: { anyOf: [branch, branch] } } };
  const dag = (levels: number, at: string) =>
    Object.fromEntries([
      ...range(levels, (index) => {
        const next = { $ref: `#/${at}/a${index + 1}` };
        return [`a${index}`, { anyOf: [next, next] }];
      }),
      [`a${levels}`, { type: 'string' }],
    ]) as object;
  const keys = (count: number) => Object.fromEntries(range(count, (index) => [`k${index}`, index]));
  const many = range(20_000, (index) => ({ i: index }));
  const repeated = (count: number, part: object) => ({ allOf: range(count, () => part) });

  for (const [what, schema, value] of [
    ['branches that fail at the bottom', recursion, deep(24)],
    ['references that meet again', { $ref: '#/$defs/a0', $defs: dag(26, '$defs') }, 1],
    ['references to where no schema is expected', { $ref: '#/x/a0', x: dag(26, 'x') }, 1],
    ['the same long list compared many times', repeated(500, { uniqueItems: true }), many],
    [
      'a long list of choices for each item',
      { items: { enum: range(30_000, (index) => index) } },
      range(60_000, () => -1).map((none, index) => (index === 59_999 ? none : 29_999)),
    ],
    [
      'many names by pattern',
      { patternProperties: Object.fromEntries(range(300, (n) => [`^x${n}$`, {}])) },
      keys(20_000),
    ],
    [
      'the same keys looked through many times',
      repeated(400, { additionalProperties: { type: 'integer' } }),
      keys(20_000),
    ],
    ['the same items looked through many times', repeated(400, { items: { type: 'object' } }), many],
    ['the same text looked through many times', repeated(900, { minLength: 1 }), 'x'.repeat(900_000)],
  ] as const) {
    it(`is given up, and said so: ${what}`, () => {
      assert.deepEqual(outcome(schema, value), { sentence: undefined, skipped: tooLong, warnings: [] });
      assert.deepEqual(outcome(schema, value, 'input').skipped, tooLong);
    });
  }

  it('is the same at each check: one that is given up takes nothing from the next', () => {
    const check = compileSchema(recursion, 'output', 'the schema', new RecordingLogger());
    const skipped: string[] = [];
    check(deep(24), (what) => skipped.push(what));
    assert.match(check(deep(1), (what) => skipped.push(what))?.sentence ?? '', /must be object/);
    assert.deepEqual(skipped, tooLong);
  });

  it('is enough to compare 20,000 objects, whatever the order of their properties', () => {
    const schema = { type: 'array', uniqueItems: true };
    assert.deepEqual(outcome(schema, many, 'output', atOnce), { sentence: undefined, skipped: [], warnings: [] });
    const twice = [{ a: 1, b: [{ c: '1' }] }, ...many, { b: [{ c: '1' }], a: 1 }];
    assert.deepEqual(outcome(schema, twice, 'output', atOnce).sentence, 'must NOT have duplicate items');
    assert.equal(outcome(schema, [1, '1', true, null, [1], ['1'], {}, [], 'null']).sentence, undefined);
    assert.equal(outcome({ uniqueItems: false }, [1, 1]).sentence, undefined);
  });

  it('is enough for the ordinary records that a check takes at most', () => {
    const names = range(10, (index) => `f${index}`);
    const schema = {
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: {
            type: 'object',
            properties: Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }])),
            required: names,
            additionalProperties: false,
          },
        },
      },
    };
    const row = (last: number) => Object.fromEntries(names.map((name, index) => [name, index === 9 ? last : index]));
    const rows = (last: number) => range(9_000, (index) => row(index === 8_999 ? last : 1));
    assert.deepEqual(outcome(schema, { rows: rows(1) }, 'output', atOnce), {
      sentence: undefined,
      skipped: [],
      warnings: [],
    });
    assert.deepEqual(outcome(schema, { rows: rows(-1) }, 'output', atOnce).sentence, 'rows.8999.f9 must be >= 0');
  });

  it('bounds what is compiled where no schema is expected, and the repairs of one', () => {
    const bomb = { $ref: '#/default', default: { allOf: range(20_000, (n) => ({ minimum: n })) } };
    assert.deepEqual(outcome(bomb, 1).skipped, ['anything (the schema: it takes too long to compile)']);
    const faulty = Object.fromEntries(range(180, (n) => [`p${n}`, { type: n % 2 === 0 ? 'quux' : 'string' }]));
    const common = { allOf: range(700, () => ({ minProperties: 0 })) };
    assert.deepEqual(outcome({ ...common, properties: faulty }, {}, 'input').warnings, [
      'Nothing is checked against the schema: it takes too long to compile',
    ]);
  });
});
