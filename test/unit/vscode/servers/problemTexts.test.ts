import assert from 'node:assert/strict';
import { problemInShort } from '../../../../src/vscode/servers/problemTexts';

describe('the row of a broken entry', () => {
  it('begins with what is wrong, and leaves what to do about it to the tooltip', () => {
    const shorts: readonly (readonly [string, string])[] = [
      ['has the unknown key "comand": write "command".', 'Unknown key "comand"'],
      ['has an unusable "url" "a: \\"b\\"": write one that begins with http://.', 'Unusable "url" "a: \\"b\\""'],
      ['has neither "command" nor "url": add one of them.', 'Neither "command" nor "url"'],
      ['has a "type" that is not a text: write "stdio", "http" or "sse".', '"type" that is not a text'],
      ['is not an object: write {"command": …} or {"url": …}.', 'Is not an object'],
      ['cannot be read as JSON: a comma is missing (line 9). Fix it there.', 'Cannot be read as JSON'],
      ['has "TOKEN" in "env" that is not a text.', '"TOKEN" in "env" that is not a text'],
      ['', ''],
    ];
    for (const [text, short] of shorts) {
      assert.equal(problemInShort(text), short);
    }
  });
});
