import assert from 'node:assert/strict';
import { inert, inertLine } from '../../../../src/vscode/interop/text';

/** What the editor's prompts, picks and notifications look for in plain text. */
const drawn = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)|\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

describe('inert text', () => {
  for (const [text, shown] of [
    [
      'See [click](command:workbench.action.terminal.new) $(trash)',
      'See [click] (command:workbench.action.terminal.new) $ (trash)',
    ],
    ['[a](https://example.com "t") [b](file:///x)', '[a] (https://example.com "t") [b] (file:///x)'],
    ['\\$(sync~spin) $$(x)', '\\$ (sync~spin) $$ (x)'],
    ['[[a]](command:x)', '[[a]] (command:x)'],
    ['[a]\u200b(command:x) $\u2060(x) [a]\n(command:x)', '[a] (command:x) $ (x) [a] (command:x)'],
    ['plain [text] (and) $5', 'plain [text] (and) $5'],
  ] as const) {
    it(`draws no link or icon from ${JSON.stringify(text)}`, () => {
      assert.equal(inertLine(text), shown);
      assert.doesNotMatch(inert(text), drawn);
    });
  }
});
