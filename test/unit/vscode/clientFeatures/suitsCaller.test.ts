import assert from 'node:assert/strict';
import { suitsCaller } from '../../../../src/vscode/clientFeatures/suitsCaller';

const text = { type: 'string' };
const form = (properties: object): object => ({ type: 'object', properties });

describe('questions for the chat whose call led to them', () => {
  it('are short forms of plain fields', () => {
    for (const properties of [
      {},
      { name: text },
      { name: text, guests: { type: 'integer' }, outside: { type: 'boolean' }, size: { enum: ['S', 'L'] } },
      { colors: { type: 'array', items: { anyOf: [{ const: 'r', title: 'Red' }] } } },
      { profile: text, xpath: text },
    ]) {
      assert.equal(suitsCaller(form(properties)), true, JSON.stringify(properties));
    }
  });

  it('are neither long nor odd, and want no file', () => {
    const odd: unknown[] = [
      form({ a: text, b: text, c: text, d: text, e: text }),
      form({ tags: { type: 'array', items: text } }),
      form({ more: { type: 'object' } }),
      { type: 'object', oneOf: [] },
      form({ code: { type: 'string', pattern: '^(a+)+\\1$' } }),
      form({ file: text }),
      form({ outputFile: text }),
      form({ target_path: text }),
      form({ where: { type: 'string', title: 'Folder to write to' } }),
    ];
    for (const schema of odd) {
      assert.equal(suitsCaller(schema), false, JSON.stringify(schema));
    }
  });
});
