import assert from 'node:assert/strict';
import { compileSchema } from '../../../../src/core/policy/compileSchema';
import { RecordingLogger } from './policyFixtures';

describe('compileSchema', () => {
  const rest = { a: { type: 'string', format: 'email' }, n: { type: 'integer', maximum: 3 } };
  const checked = (schema: object, which: 'input' | 'output' = 'input') => {
    const log = new RecordingLogger();
    const check = compileSchema(schema, which, 'the schema', log);
    const faults = (value: object): readonly string[] => (check(value)?.faults ?? []).map(({ path }) => path);
    return { faults, log };
  };

  for (const bad of [
    { type: 'string', enum: [] },
    { minimum: 'x' },
    { type: 'quux' },
    { type: 'object', properties: { deep: { type: 'quux' } } },
    null,
  ]) {
    it(`fault 46: checks what stands beside the property ${JSON.stringify(bad)}`, () => {
      const { faults, log } = checked({ type: 'object', properties: { ...rest, x: bad }, required: ['a', 'x'] });
      assert.deepEqual(faults({ a: 'notmail', n: 99, x: 1 }), ['/a', '/n']);
      assert.deepEqual(faults({ n: 1 }), ['/a', '/x']);
      assert.deepEqual(faults({ a: 'a@example.com', x: {} }), []);
      assert.equal(log.warnings.length, 1);
      assert.match(log.warnings[0] ?? '', /^Of the schema, "x" is not checked: ./);
    });
  }

  it('fault 46: checks the properties beside a list of the required that is none', () => {
    const { faults, log } = checked({ type: 'object', properties: rest, required: 'a' });
    assert.deepEqual(faults({ a: 'notmail', n: 99 }), ['/a', '/n']);
    assert.deepEqual(faults({}), []);
    assert.match(log.warnings[0] ?? '', /^Of the schema, what is required is not checked: ./);
  });

  it('compiles no schema of very many parts, which would hold up everything else', () => {
    const many = (count: number): object => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }])),
    });
    const small = checked(many(200));
    assert.deepEqual(small.faults({ p1: 1 }), ['/p1']);
    assert.deepEqual(small.log.warnings, []);
    const large = checked(many(2_000));
    assert.deepEqual(large.faults({ p1: 1 }), []);
    assert.deepEqual(large.log.warnings, [
      'Nothing is checked against the schema: it has more than 1000 parts or 500000 characters.',
    ]);
  });

  it('keeps what all properties have in common: definitions, and that no others are known', () => {
    const { faults } = checked({
      $defs: { Mail: { type: 'string', format: 'email' } },
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/Mail' },
        gone: { $ref: '#/$defs/Gone' },
        x: { type: 'quux' },
        y: { type: 'string', enum: [] },
        ['__proto__']: { type: 'integer' },
      },
      additionalProperties: false,
    });
    assert.deepEqual(faults({ a: 'notmail', gone: 1, x: 1, y: 1, other: 1, ['__proto__']: '' }), [
      '/other',
      '/__proto__',
      '/a',
    ]);
  });

  it('checks nothing where the fault is in no single property, and no result against a faulty schema', () => {
    for (const { faults, log } of [
      checked({ type: 'quux', properties: rest }),
      checked({ type: 'object', properties: { ...rest, x: null } }, 'output'),
    ]) {
      assert.deepEqual(faults({ n: 99 }), []);
      assert.match(log.warnings[0] ?? '', /^Nothing is checked against the schema: /);
    }
  });
});
