import assert from 'node:assert/strict';
import { FormState } from '../../../../src/vscode/interop/formState';

const schema = {
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'string' }, n: { type: 'integer' }, o: { type: 'object' } },
};

describe('FormState', () => {
  it('shows what is missing only once it was submitted, and no longer than it lasts', () => {
    const form = new FormState(schema);
    assert.deepEqual(form.shownErrors(), []);
    assert.equal(form.check().valid, false);
    assert.deepEqual(form.shownErrors(), [['a', 'A value is required.']]);
    form.setValues([['a', 'x']]);
    assert.deepEqual(form.shownErrors(), []);
    assert.deepEqual(form.check(), { args: { a: 'x' }, valid: true });
  });

  it('takes null from the webview as untouched', () => {
    const form = new FormState(schema);
    form.setValues([
      ['a', 'x'],
      ['n', null],
      ['o', null],
    ]);
    assert.equal(form.preview(), '{\n  "a": "x"\n}');
  });

  it('puts faults at their fields, those below a field included, and tells of the rest', () => {
    const form = new FormState(schema, { a: 'x' });
    form.check();
    const rest = form.setFaults([
      { path: '/a', message: 'is too short' },
      { path: '/o/deep/er', message: 'must be boolean' },
      { path: '/o/b~1c', message: 'is not known' },
    ]);
    assert.equal(rest, false);
    assert.deepEqual(form.shownErrors(), [
      ['a', 'It is too short.'],
      ['o', 'deep.er must be boolean\nb/c is not known'],
    ]);
    assert.equal(form.setFaults([{ path: '', message: 'must match exactly one schema in oneOf' }]), true);
    assert.equal(form.setFaults([{ path: '/other', message: 'is not known' }]), true);
  });

  it('has fields that are named like what every object inherits', () => {
    const property = { type: 'string' };
    const state = new FormState({
      type: 'object',
      properties: { constructor: property, valueOf: property, ['__proto__']: property },
      required: ['valueOf'],
    });
    state.setValues([['__proto__', 'p']]);
    assert.deepEqual(state.check().valid, false);
    assert.deepEqual(state.shownErrors(), [['valueOf', 'A value is required.']]);
    state.setFaults([{ path: '/constructor', message: 'is wrong' }]);
    assert.deepEqual(state.shownErrors(), [['constructor', 'It is wrong.']]);
    state.setValues([['valueOf', 'v']]);
    assert.deepEqual(state.check(), { args: { valueOf: 'v' }, valid: true });
  });

  it('turns to JSON and back where the fields can hold it', () => {
    const form = new FormState(schema, { a: 'x', n: 1 });
    assert.equal(form.switchMode(), true);
    assert.deepEqual(form.drawing()['text'], '{\n  "a": "x",\n  "n": 1\n}');
    form.setText('{"a":"y","extra":1}');
    assert.deepEqual(form.check().args, { a: 'y', extra: 1 });
    assert.equal(form.switchMode(), false);
    form.setText('{"a":"y"}');
    assert.equal(form.switchMode(), true);
    assert.deepEqual(form.check().args, { a: 'y' });
  });

  it('starts as JSON for arguments that no field holds', () => {
    assert.equal(new FormState(schema, { a: 'x', extra: true }).drawing()['mode'], 'json');
    assert.equal(new FormState({ type: 'object', anyOf: [] }).drawing()['mode'], 'json');
  });

  it('refuses JSON that is no object', () => {
    const form = new FormState({ type: 'object', oneOf: [] });
    for (const text of ['[1]', '1', 'null', '{']) {
      form.setText(text);
      assert.equal(form.check().valid, false, text);
    }
    form.setText('');
    assert.deepEqual(form.check(), { args: {}, valid: true });
  });
});
