import assert from 'node:assert/strict';
import { argumentList } from '../../../../src/vscode/chat/argumentList';

describe('argumentList', () => {
  it('has every argument whole, on a line of its own', () => {
    const long = 'x'.repeat(5_000);
    assert.equal(
      argumentList({ path: long, options: { deep: [1, true], note: 'a\nb' } }),
      `- \`"path"\`: \`"${long}"\`\n- \`"options"\`: \`{ "deep": [ 1, true ], "note": "a\\nb" }\``,
    );
    assert.equal(argumentList({}), 'It has no arguments.');
  });

  it('hides nothing: neither spaces nor marks that turn or close the text', () => {
    assert.equal(argumentList({ a: 'x   y' }), '- `"a"`: `"x \\u0020\\u0020y"`');
    assert.equal(argumentList({ a: '\u202e`](command:x)' }), '- `"a"`: ``"\\u202e`](command:x)"``');
  });
});
