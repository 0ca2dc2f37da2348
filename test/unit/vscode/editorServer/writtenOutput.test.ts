import assert from 'node:assert/strict';
import { WrittenOutput } from '../../../../src/vscode/editorServer/writtenOutput';

const written = (...parts: readonly string[]) => {
  const output = new WrittenOutput();
  parts.forEach((part) => output.add(part));
  return output.read();
};

describe('what a task has written', () => {
  it('is its text without colours, titles and marks, however it comes in pieces', () => {
    assert.deepEqual(
      written(
        '\u001b]633;C\u0007\u001b[1;31mfai',
        'led\u001b[0m\r\n',
        '\u001b]0;title\u001b\\done\r\n\u001b]633;D;1\u0007',
      ),
      {
        text: 'failed\ndone\n',
        cut: false,
      },
    );
    assert.deepEqual(written('\u001b[3', '2mok'), { text: 'ok', cut: false });
  });

  it('is nothing where nothing came, or nothing to read', () => {
    assert.equal(written(), undefined);
    assert.equal(written('\u001b]633;C\u0007'), undefined);
  });

  it('is the newest end of much', () => {
    const { text, cut } = written('start', 'x'.repeat(70_000), 'end') ?? { text: '', cut: false };
    assert.deepEqual([text.length, text.endsWith('xend'), text.includes('start'), cut], [64 * 1024, true, false, true]);
  });
});
