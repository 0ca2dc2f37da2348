import assert from 'node:assert/strict';
import { toContents } from '../../../../src/vscode/documents/resourceContents';

describe('contents of a read', () => {
  it('take the URI that was asked for where theirs is missing, and say what cannot be read', () => {
    const contents = toContents('x://a', [{ text: 'é' }, { uri: 'x://b', blob: 5 }, 7]);
    assert.deepEqual(
      contents.map(({ uri, size, text }) => [uri, size, text]),
      [
        ['x://a', 2, true],
        ['x://b', 64, true],
        ['x://a', 64, true],
      ],
    );
  });
});
