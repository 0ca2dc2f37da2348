import assert from 'node:assert/strict';
import {
  type FormField,
  formModel,
  initialValues,
  isSimple,
  toArguments,
  valuesOf,
} from '../../../../src/vscode/interop/formModel';

const field = (property: unknown, required = false, root: Record<string, unknown> = {}): FormField => {
  const model = formModel({ type: 'object', properties: { a: property }, required: required ? ['a'] : [], ...root });
  return model.fields[0]!;
};
const send = (property: unknown, value: string | boolean | readonly string[] | undefined, required = false) => {
  const model = formModel({ type: 'object', properties: { a: property }, required: required ? ['a'] : [] });
  return toArguments(model, { a: value });
};

describe('formModel', () => {
  it('fault 46: gives the right control per field, defaults filled in', () => {
    const model = formModel({
      type: 'object',
      required: ['flag', 'name'],
      properties: {
        name: { type: 'string', title: 'Full name', description: 'As in the passport', minLength: 2 },
        flag: { type: 'boolean', default: true },
        count: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
        level: {
          oneOf: [
            { const: 'l', title: 'Low' },
            { const: 'h', title: 'High' },
          ],
          default: 'h',
        },
        old: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
        many: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1 },
        mail: { type: 'string', format: 'email' },
        tags: { type: 'array', items: { type: 'string' } },
        deep: { type: 'object', properties: {} },
      },
    });
    assert.equal(model.mode, 'fields');
    assert.deepEqual(
      model.fields.map(({ name, label, required, control, initial }) => [name, label, required, control.kind, initial]),
      [
        ['name', 'Full name', true, 'text', undefined],
        ['flag', 'flag', true, 'boolean', true],
        ['count', 'count', false, 'number', '3'],
        ['level', 'level', false, 'select', '"h"'],
        ['old', 'old', false, 'select', undefined],
        ['many', 'many', false, 'checks', undefined],
        ['mail', 'mail', false, 'text', undefined],
        ['tags', 'tags', false, 'list', undefined],
        ['deep', 'deep', false, 'json', undefined],
      ],
    );
    assert.deepEqual(toArguments(model, { ...initialValues(model), name: 'Ada' }), {
      args: { name: 'Ada', flag: true, count: 3, level: 'h' },
      errors: {},
    });
  });

  it('fault 46: sends constants, not titles, and typed values', () => {
    const labels = field({ type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] }).control;
    assert.deepEqual(labels.kind === 'select' && labels.options, [
      { label: 'Red', json: '"r"' },
      { label: 'Green', json: '"g"' },
    ]);
    assert.deepEqual(send({ enum: [1, '1', null] }, '1').args, { a: 1 });
    assert.deepEqual(send({ enum: [1, '1', null] }, '"1"').args, { a: '1' });
    assert.deepEqual(send({ type: 'array', items: { enum: ['x', 2] } }, ['"x"', '2']).args, { a: ['x', 2] });
  });

  it('fault 46: refuses what is not the number it looks like', () => {
    for (const text of ['42xyz', '0x10', '1.5', '', ' ', '1e400', 'NaN', '12345678901234567890']) {
      assert.ok(send({ type: 'integer' }, text, true).errors['a'], text);
    }
    assert.deepEqual(send({ type: 'integer' }, ' 42 ', true).args, { a: 42 });
    assert.deepEqual(send({ type: 'number' }, '-1.5e2').args, { a: -150 });
    assert.ok(send({ type: 'integer', minimum: 1 }, '0').errors['a']);
    assert.ok(send({ type: 'number', exclusiveMaximum: 1 }, '1').errors['a']);
  });

  it('fault 46: leaves a blank optional field out and asks for a required one', () => {
    assert.deepEqual(send({ type: 'string' }, ''), { args: {}, errors: {} });
    assert.deepEqual(send({ type: 'string' }, undefined), { args: {}, errors: {} });
    assert.deepEqual(send({ type: 'array', items: { type: 'string' } }, []), { args: {}, errors: {} });
    assert.ok(send({ type: 'string' }, undefined, true).errors['a']);
    assert.deepEqual(send({ type: 'string' }, '', true), { args: { a: '' }, errors: {} }, 'emptied on purpose');
    assert.deepEqual(send({ type: 'boolean' }, undefined), { args: {}, errors: {} });
    assert.deepEqual(send({ type: 'boolean' }, undefined, true), { args: { a: false }, errors: {} });
    assert.deepEqual(send({ type: ['string', 'null'] }, undefined, true), { args: { a: null }, errors: {} });
  });

  it('fault 4: takes `true` as any JSON value and `false` as absent', () => {
    const model = formModel({
      type: 'object',
      properties: { payload: true, never: false, list: { type: 'array', items: true } },
    });
    assert.deepEqual(
      model.fields.map(({ name, control }) => [name, control.kind]),
      [
        ['payload', 'json'],
        ['list', 'json'],
      ],
    );
    assert.deepEqual(toArguments(model, { payload: '[1]', list: '' }).args, { payload: [1] });
    assert.match(toArguments(model, { payload: '{' }).errors['payload'] ?? '', /not JSON/);
  });

  it('fault 6: follows references inside the schema', () => {
    const root = { $defs: { Q: { type: 'object' }, N: { type: 'integer' }, 'a/b': { type: 'boolean' } } };
    assert.equal(field({ $ref: '#/$defs/Q' }, false, root).control.kind, 'json');
    assert.equal(field({ $ref: '#/$defs/N' }, false, root).control.kind, 'number');
    assert.equal(field({ $ref: '#/$defs/a~1b' }, false, root).control.kind, 'boolean');
    const model = formModel({ type: 'object', properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } });
    assert.deepEqual(
      model.fields.map(({ control }) => control.kind),
      ['text', 'text'],
    );
  });

  it('fault 5: ends on circular, dangling and remote references', () => {
    const root = { $defs: { L: { $ref: '#/$defs/L' } } };
    for (const $ref of ['#/$defs/L', '#/$defs/Missing', 'http://127.0.0.1:1/s.json', '#/properties/a', '#/%zz', '#']) {
      assert.equal(field({ $ref }, false, root).control.kind, 'json', $ref);
    }
  });

  it('fault 8: unwraps nullable forms and turns to JSON for combinators at the root', () => {
    assert.equal(field({ type: ['array', 'null'], items: { type: 'string' } }).control.kind, 'list');
    assert.equal(field({ anyOf: [{ type: 'string' }, { type: 'null' }], default: null }).control.kind, 'text');
    assert.equal(field({ type: ['string', 'number'] }).control.kind, 'json');
    assert.equal(
      field({ allOf: [{ $ref: '#/$defs/N' }] }, false, { $defs: { N: { type: 'integer' } } }).control.kind,
      'number',
    );
    assert.equal(formModel({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }).mode, 'json');
    assert.deepEqual(formModel({ type: 'object' }), { mode: 'fields', fields: [] });
    assert.equal(formModel({ type: 'object', additionalProperties: { type: 'string' } }).mode, 'json');
  });

  it('asks for a required property that the schema does not describe', () => {
    const model = formModel({ type: 'object', required: ['ghost'] });
    assert.deepEqual(
      model.fields.map(({ name, control }) => [name, control.kind]),
      [['ghost', 'json']],
    );
  });

  it('fills old arguments in, or says that the fields cannot hold them', () => {
    const model = formModel({
      type: 'object',
      required: ['s'],
      properties: {
        s: { type: 'string' },
        n: { type: 'number' },
        l: { type: 'array', items: { type: 'number' } },
        o: {},
      },
    });
    const args = { s: '', n: 1.5, l: [1, 2], o: { deep: [null] } };
    const values = valuesOf(model, args);
    assert.ok(values);
    assert.deepEqual(toArguments(model, values), { args, errors: {} });
    assert.equal(valuesOf(model, { s: 'x', unknown: 1 }), undefined);
    assert.equal(valuesOf(model, { s: 7 }), undefined);
    assert.ok(valuesOf(model, {}), 'a missing required argument is what the form asks for');
  });

  it('keeps a property that is named __proto__', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as unknown;
    const model = formModel(schema);
    const values = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    assert.equal(JSON.stringify(toArguments(model, values).args), '{"__proto__":"x"}');
  });

  it('knows what one quick input can ask for', () => {
    assert.deepEqual(
      [
        { type: 'string' },
        { type: 'integer' },
        { type: 'boolean' },
        { enum: [1] },
        { type: 'object' },
        { type: 'array' },
      ].map((schema) => isSimple(field(schema))),
      [true, true, true, true, false, false],
    );
  });

  it('says beside a field that its pattern is not checked, and asks for it in a whole form', () => {
    for (const schema of [
      { type: 'string', pattern: '^(a+)+\\1$' },
      { type: 'string', pattern: '(' },
      { type: 'array', items: { type: 'string', pattern: '(?=a)(a|b)*' } },
    ]) {
      const shown = field(schema);
      assert.match(shown.unchecked ?? '', /^The pattern is not checked here/);
      assert.equal(isSimple(shown), false);
    }
    assert.equal(field({ type: 'string', pattern: '^[A-Z]{3}$' }).unchecked, undefined);
  });
});
