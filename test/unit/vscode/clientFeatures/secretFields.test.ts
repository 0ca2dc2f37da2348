import assert from 'node:assert/strict';
import { secretWarning } from '../../../../src/vscode/clientFeatures/secretFields';

const form = (properties: Readonly<Record<string, object>>): object => ({ type: 'object', properties });
const text = (more: object = {}): object => ({ type: 'string', ...more });

describe('secretWarning', () => {
  const secrets: [string, object, string?][] = [
    ['a name', form({ apiKey: text(), name: text() })],
    ['a snake-case name', form({ access_token: text(), name: text() })],
    ['a title', form({ value: text({ title: 'Your password' }), name: text() })],
    ['a description', form({ value: text({ description: 'A GitHub personal access token' }), name: text() })],
    ['a format', form({ value: text({ format: 'password' }), name: text() })],
    ['the message over the only field', form({ value: text() }), 'Enter your passphrase'],
    ['a number', form({ pin_code: { type: 'integer' } })],
  ];
  for (const [what, schema, message = ''] of secrets) {
    it(`sees a secret by ${what}`, () => {
      assert.match(secretWarning('srv', message, schema) ?? '', /looks like a secret/);
    });
  }

  it('names each, in plain text of bounded length', () => {
    const warning = secretWarning(
      'srv',
      '',
      form({ password: text({ title: `Pass\u202eword ${'x'.repeat(500)}` }), cvv: text() }),
    );
    assert.match(warning ?? '', /^“Pass word x+…”, “cvv” look like secrets\./);
    assert.ok((warning ?? '').length < 300);
  });

  const harmless: [string, object, string?][] = [
    ['words that hold others', form({ pinned: text(), shipping: text(), keyboard: text(), tokens: text() })],
    ['a number that says what it must not be', form({ age: { type: 'integer', description: 'not your pin' } })],
    ['choices', form({ secret: { type: 'boolean' }, token: { enum: ['a', 'b'] } })],
    ['a message over several fields', form({ a: text(), b: text() }), 'Never tell us your password'],
    ['no schema to speak of', {}],
  ];
  for (const [what, schema, message = ''] of harmless) {
    it(`is silent for ${what}`, () => assert.equal(secretWarning('srv', message, schema), undefined));
  }
});
