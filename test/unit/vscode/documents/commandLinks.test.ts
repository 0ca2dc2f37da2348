import assert from 'node:assert/strict';
import { commandLinks } from '../../../../src/vscode/documents/commandLinks';

const found = (text: string): readonly string[] => commandLinks(text).map(({ start, end }) => text.slice(start, end));

describe('command links of a server', () => {
  it('are found in every form of a link, whatever their case', () => {
    assert.deepEqual(
      found('[a](command:x.y?%5B1%5D) <COMMAND:b> [c]: Command:c "title"\n[d](<command:d e>) <a href="command:e">'),
      ['command:x.y?%5B1%5D', 'COMMAND:b', 'Command:c', 'command:d', 'command:e'],
    );
  });

  it('are not what merely ends in the word', () => {
    assert.deepEqual(found('[a](https://h/x?y=1) my-command:x subcommand:y a commander:'), []);
  });
});
