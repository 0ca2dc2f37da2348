import { deepEqual } from 'node:assert/strict';
import type { Launch, ServerDefinition } from '../../../../src/core/config/configTypes';
import { consentLines, launchWords } from '../../../../src/vscode/consent/consentText';

const stdio = (args: string[], extra: Partial<Extract<Launch, { type: 'stdio' }>> = {}): Launch => ({
  type: 'stdio',
  command: 'npx',
  args,
  env: {},
  ...extra,
});
const lines = (launch: Launch, before?: Launch) =>
  consentLines({ launch } as ServerDefinition, before && launchWords(before));

describe('consentLines', () => {
  it('shows all that consent is bound to, and no value', () => {
    deepEqual(lines(stdio(['-y', 'a b'], { env: { KEY: 'secret' }, cwd: '/srv', envFile: '.env' })), [
      'npx -y "a b"',
      'In: /srv',
      'Variables: KEY',
      'Variables from: .env',
    ]);
    deepEqual(lines({ type: 'http', url: 'https://x.test/mcp', headers: { Authorization: 'Bearer secret' } }), [
      'https://x.test/mcp',
      'Headers: Authorization',
    ]);
    deepEqual(lines({ type: 'http', url: 'https://ann:secret@x.test/mcp', headers: {} }), [
      '"https://ann:•••@x.test/mcp"',
    ]);
  });

  it('marks the word that changed and names what it was', () => {
    deepEqual(lines(stdio(['-y', 'server@2.0.0']), stdio(['-y', 'server@1.0.0'])), [
      'npx -y «server@2.0.0»',
      'Before: server@1.0.0',
    ]);
    deepEqual(lines(stdio(['-y', 's'], { env: { A: '', B: '' } }), stdio(['-y', 's'], { env: { A: '' } })), [
      'npx -y s',
      '«Variables: A, B»',
      'Before: "Variables: A"',
    ]);
    deepEqual(lines(stdio(['b', 'a']), stdio(['a', 'b'])), ['npx b a', 'The order of the words has changed.']);
  });

  it('writes characters out that would hide what runs', () => {
    deepEqual(lines(stdio(['a\u202Eb', 'c\nd', '\u200b'])), ['npx a\\u202eb c\\u000ad \\u200b']);
  });
});
