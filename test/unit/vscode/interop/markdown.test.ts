import assert from 'node:assert/strict';
import { codeSpan, escapeMarkdown, fencedBlock } from '../../../../src/vscode/interop/markdown';
import { visibleJson } from '../../../../src/base/visibleJson';

describe('text of servers in Markdown', () => {
  it('means only its letters', () => {
    for (const text of ['[x](command:evil)', '<img src=x>', 'https://evil.example', '$(trash)', '# a', 'a@b.example']) {
      const escaped = escapeMarkdown(text);
      assert.equal(escaped.replace(/\\(?=[!-/:-@[-`{-~])/g, ''), text);
      assert.ok(!/(?<!\\)[[\](){}<>#:@$`*_.]/.test(escaped), escaped);
    }
    assert.equal(escapeMarkdown('one\n\n# two\u202e'), 'one \\# two');
  });

  it('cannot close a code span or a block', () => {
    assert.equal(codeSpan('a`b``c'), '```a`b``c```');
    assert.equal(codeSpan('`x`'), '`` `x` ``');
    assert.equal(fencedBlock('a\n````\n[x](y)', 'json'), '`````json\na\n````\n[x](y)\n`````');
  });

  it('shows every invisible character of arguments as an escape, and changes no value', () => {
    const args = { path: '/tmp/\u202egpj.exe', zero: 'a\u200bb\ufeff', tag: '\u{e0041}', plain: 'é漢🎉' };
    const text = visibleJson(args);
    assert.deepEqual(JSON.parse(text), args);
    assert.match(text, /\\u202egpj/);
    assert.match(text, /a\\u200bb\\ufeff/);
    assert.match(text, /\\udb40\\udc41/);
    assert.match(text, /é漢🎉/);
  });
});
