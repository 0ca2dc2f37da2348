import assert from 'node:assert/strict';
import { secretWarning } from '../../../../src/vscode/clientFeatures/secretFields';

const form = (properties: Readonly<Record<string, object>>): object => ({ type: 'object', properties });
const text = (more: object = {}): object => ({ type: 'string', ...more });

describe('secretWarning', () => {
  const secrets: [string, object, string?][] = [
    ['a name', form({ apiKey: text(), name: text() })],
    ['a snake-case name', form({ access_token: text(), name: text() })],
    ['a short name', form({ pass: text(), name: text() })],
    ['a word in a name', form({ userPwd: text(), name: text() })],
    ['a phrase', form({ words: text({ title: 'Seed phrase' }), name: text() })],
    ['a title', form({ value: text({ title: 'Your password' }), name: text() })],
    ['a description', form({ value: text({ description: 'A GitHub personal access token' }), name: text() })],
    ['a format', form({ value: text({ format: 'password' }), name: text() })],
    ['the message over the only field', form({ value: text() }), 'Enter your passphrase'],
    ...[
      ...[
        'pass',
        'dbPass',
        'user_pass',
        'pw',
        'user-pw',
        'pwd',
        'PWD',
        'passcode',
        'Passcode2',
        'pass_phrase',
        'mypassword',
      ],
      ...[
        'PAT',
        'github_pat',
        'seedPhrase',
        'recovery-phrase',
        'privateKey',
        'PRIVATE_KEY',
        'APIKey',
        'api-key',
        'apikey',
      ],
      ...['authToken', 'TOKEN', 'accesstoken', 'PINCode', 'clientSecret', 'cardNumber', 'SSN'],
    ].map((name): [string, object] => [`the name ${name}`, form({ [name]: text(), other: text() })]),
    ...['Seed phrase', 'Your API key', 'The private key', 'Pass', 'GitHub PAT'].map((title): [string, object] => [
      `the title ${title}`,
      form({ value: text({ title }), other: text() }),
    ]),
    ['a description of letters', form({ value: text({ description: 'Your PAT' }), name: text() })],
    ['a number', form({ pin_code: { type: 'integer' } })],
  ];
  for (const [what, schema, message = ''] of secrets) {
    it(`sees a secret by ${what}`, () => {
      assert.match(secretWarning('srv', message, schema) ?? '', /looks like a secret/);
    });
  }

  const several = form({ user: text(), code: text() });
  for (const message of [
    'Enter your password',
    'Your session is over. Please type user name and password.',
    'We need your API key to go on (it will not be stored)',
    'Do not worry, just enter your seed phrase',
    'Never share it with others! What is your pin?',
    'Sign in with your GitHub PAT',
    'Your password:',
  ]) {
    it(`sees a secret by the message over several fields: ${message}`, () => {
      assert.match(
        secretWarning('srv', message, several) ?? '',
        /^This server seems to ask for a secret\. .* goes to srv/,
      );
    });
  }

  it('sees a secret by the message over a number, and over an answer in JSON', () => {
    for (const schema of [form({ n: { type: 'integer' } }), { type: 'object', oneOf: [several] }]) {
      assert.match(secretWarning('srv', 'Enter your pin', schema) ?? '', /^This server seems to ask for a secret\./);
    }
  });

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
    [
      'words that hold others',
      form({ pinned: text(), shipping: text(), boardingPass: text(), keyboard: text(), tokens: text() }),
    ],
    ['a number that says what it must not be', form({ age: { type: 'integer', description: 'not your pin' } })],
    [
      'descriptions and messages that want no secret',
      form({
        number: text({ description: 'Favorite text (do not give us your phone number, pin, or other sensitive info)' }),
        name: text({ description: 'Any name, but not your password. Pass what you like; a pat on the back.' }),
        passport: text(),
        passenger: text(),
        compass: text(),
        path: text(),
        secretary: text(),
        patient: text(),
      }),
      'Please provide inputs. Don’t enter any password here; no token is needed',
    ],
    ['a secret in the message that is not asked for', form({ a: text(), b: text() }), 'The access token has expired'],
    ['a message over choices', form({ ok: { type: 'boolean' } }), 'Enter your password'],
    ['choices', form({ secret: { type: 'boolean' }, token: { enum: ['a', 'b'] } })],
    ['a message over several fields', form({ a: text(), b: text() }), 'Never tell us your password'],
    ['no schema to speak of', {}],
  ];
  for (const [what, schema, message = ''] of harmless) {
    it(`is silent for ${what}`, () => assert.equal(secretWarning('srv', message, schema), undefined));
  }
});
