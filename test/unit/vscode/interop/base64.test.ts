import assert from 'node:assert/strict';
import { fromBase64 } from '../../../../src/vscode/interop/base64';

const decoded = (text: string): string | undefined => {
  const bytes = fromBase64(text);
  return bytes && Buffer.from(bytes).toString('latin1');
};

describe('fromBase64', () => {
  it('reads both alphabets, padded or not, with line breaks', () => {
    assert.equal(decoded('YQ=='), 'a');
    assert.equal(decoded('YQ'), 'a');
    assert.equal(decoded('YWI='), 'ab');
    assert.equal(decoded('YW\r\nJj\n'), 'abc');
    assert.equal(decoded('_-8='), '\xff\xef');
    assert.equal(decoded('/+8='), '\xff\xef');
    assert.equal(decoded(''), '');
  });

  it('says of all else that it is none', () => {
    for (const text of ['%%%', 'not base64!', 'YW=Jj', 'data:image/png;base64,YQ==', 'YQ==YQ==']) {
      assert.equal(decoded(text), undefined, text);
    }
  });
});
