import assert from 'node:assert/strict';
import { maxModelSchema, modelSchema } from '../../../../src/core/catalog/modelSchema';
import { tool } from './catalogFixtures';

function adapt(inputSchema: unknown): { schema: Record<string, unknown>; notes?: string } {
  const made = modelSchema(tool('t', { inputSchema }));
  assert.ok(!made.problem, made.problem?.message);
  return made;
}

describe('schemas for models', () => {
  it('fault 4: boolean sub-schemas: true is free input, false must be left out', () => {
    const { schema } = adapt({
      type: 'object',
      properties: { payload: true, list: { type: 'array', items: true }, gone: false },
      required: ['gone', 'payload'],
    });
    assert.deepEqual(schema, {
      type: 'object',
      properties: { payload: {}, list: { type: 'array', items: {} } },
      required: ['payload'],
    });
  });

  it('fault 5: recursion ends, the copy survives JSON.stringify, and a dangling reference takes anything', () => {
    const { schema } = adapt({
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' }, m: { $ref: '#/$defs/Missing' } },
      $defs: { N: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } } } } },
    });
    assert.deepEqual(schema['properties'], {
      n: {
        type: 'object',
        properties: {
          kids: {
            type: 'array',
            items: { type: 'object', properties: {}, description: 'Nested again in the same way.' },
          },
        },
      },
      m: { description: 'Not described by the server.' },
    });
  });

  it('fault 5: references to themselves and to the root end too', () => {
    for (const inputSchema of [
      { type: 'object', properties: { a: { $ref: '#' } } },
      { type: 'object', properties: { a: { $ref: '#/properties/a' } } },
      { type: 'object', allOf: [{ $ref: '#' }] },
      { $ref: '#' },
      { type: 'object', properties: { a: { anyOf: [{ $ref: '#/properties/a' }, { type: 'null' }] } } },
    ]) {
      assert.equal(adapt(inputSchema).schema['type'], 'object');
    }
  });

  it('fault 5: size is bounded: wide, deep, and doubling at every level', () => {
    const doubling: Record<string, unknown> = { D0: { type: 'string', description: 'x'.repeat(500) } };
    for (let n = 1; n < 30; n += 1) {
      const ref = { $ref: `#/$defs/D${n - 1}` };
      doubling[`D${n}`] = { type: 'object', properties: { a: ref, b: ref } };
    }
    const { schema } = adapt({ type: 'object', properties: { d: { $ref: '#/$defs/D29' } }, $defs: doubling });
    assert.ok(JSON.stringify(schema).length <= maxModelSchema);
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`p${n}`, { type: 'string' }]));
    assert.equal(
      modelSchema(tool('t', { inputSchema: { type: 'object', properties: wide } })).problem?.code,
      'TOOL_UNUSABLE',
    );
    let deep: object = { type: 'string' };
    for (let n = 0; n < 100_000; n += 1) {
      deep = { type: 'array', items: deep };
    }
    const made = modelSchema(tool('t', { inputSchema: { type: 'object', properties: { deep } } }));
    assert.match(made.problem?.message ?? '', /too large/);
  });

  it('fault 6: what the model receives is self-contained', () => {
    for (const defs of ['$defs', 'definitions']) {
      const { schema } = adapt({
        type: 'object',
        properties: { q: { $ref: `#/${defs}/Q` } },
        required: ['q'],
        [defs]: { Q: { type: 'object', properties: { limit: { type: 'integer' } } } },
      });
      assert.deepEqual(schema, {
        type: 'object',
        properties: { q: { type: 'object', properties: { limit: { type: 'integer' } } } },
        required: ['q'],
      });
    }
    const { schema } = adapt({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1 }, b: { $ref: '#/properties/a', description: 'as a' } },
    });
    assert.deepEqual(schema['properties'], {
      a: { type: 'integer', minimum: 1 },
      b: { type: 'integer', minimum: 1, description: 'as a' },
    });
  });

  it('fault 8: properties are added, nullable types rewritten, combinators of the root said in words', () => {
    assert.deepEqual(adapt({ type: 'object' }).schema, { type: 'object', properties: {} });
    assert.deepEqual(
      adapt({ type: 'object', properties: { l: { type: ['array', 'null'], items: { type: 'string' } } } }).schema,
      {
        type: 'object',
        properties: { l: { type: 'array', items: { type: 'string' }, description: 'May be null.' } },
      },
    );
    const { schema, notes } = adapt({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] });
    assert.deepEqual(schema, { type: 'object', properties: {} });
    assert.equal(notes, 'Exactly one of these must hold: a given; or b given.');
  });

  it('fault 8: branches of the root give their properties; unions below it lose their null', () => {
    const { schema, notes } = adapt({
      type: 'object',
      properties: { c: { anyOf: [{ type: 'string' }, { type: 'null' }] }, d: { type: ['string', 'integer', 'null'] } },
      allOf: [{ properties: { e: { const: 1 } }, required: ['e'] }],
      anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { $ref: '#/$defs/B' }],
      $defs: { B: { properties: { b: { type: 'boolean' } } } },
    });
    assert.deepEqual(schema, {
      type: 'object',
      properties: {
        c: { type: 'string', description: 'May be null.' },
        d: { anyOf: [{ type: 'string' }, { type: 'integer' }], description: 'May be null.' },
        e: { enum: [1] },
        a: { type: 'string' },
        b: { type: 'boolean' },
      },
      required: ['e'],
    });
    assert.match(notes ?? '', /^At least one of these must hold: a given; or \{"properties"/);
  });

  it('fault 8: a tool that cannot be adapted says so', () => {
    for (const inputSchema of [
      { type: 'string' },
      true,
      { type: 'object', properties: { 'not a name': { type: 'string' } }, required: ['not a name'] },
    ]) {
      assert.equal(modelSchema(tool('t', { inputSchema })).problem?.code, 'TOOL_UNUSABLE');
    }
    assert.match(adapt({ type: 'object', properties: { 'not a name': true } }).notes ?? '', /cannot be given/);
  });
});
