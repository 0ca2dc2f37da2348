import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import type { EditorSymbol } from '../../../../src/server/editor/editorTypes';
import { oneLine } from '../../../../src/server/editor/oneLine';
import { problem, range } from './fakeEditor';
import { EditorHarness, textOf } from './editorHarness';

/** A name that would pass for a line of the answer. */
const odd = 'a\nmodified injected.ts';

describe('names with line breaks', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    harness.editor.write(odd, 'open();\n');
    harness.editor.write('b.ts', 'open();\n');
  });
  afterEach(() => harness.dispose());

  it('are written out, with whatever else ends a line', () => {
    assert.equal(oneLine('a\nb\r\u0085\u2028\u2029\u001b[1m ü'), 'a\\nb\\u000d\\u0085\\u2028\\u2029\\u001b[1m ü');
  });

  it('break no text that has one thing per line, and stay as they are in structured content', async () => {
    const { editor } = harness;
    const uri = editor.uri(odd);
    const place = { uri, range: range(0, 0), selection: range(0, 0) };
    const symbol: EditorSymbol = { name: odd, kind: 'class', detail: '', container: undefined, children: [], ...place };
    editor.changed = [{ uri, status: 'modified', isStaged: false }];
    editor.found = [symbol, { ...symbol, range: range(0, 1), selection: range(0, 1) }];
    editor.symbols.set(uri, editor.found);
    editor.locations = [place];
    editor.renaming = { edits: [{ uri, replacements: [{ range: range(0, 0), text: 'x' }] }], files: [] };
    editor.publish(uri, problem(odd, { source: odd, code: odd }));
    editor.editors.value = [{ uri, label: odd, isActive: true, isDirty: false }];
    editor.active.value = { uri, languageId: 'x', selections: [range(0, 0, 0, 4)], visible: undefined };
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ['git_changes', {}],
      ['active_context', {}],
      ['get_diagnostics', {}],
      ['document_symbols', { file: uri }],
      ['workspace_symbols', { query: 'a' }],
      ['references', { file: 'b.ts', line: 1 }],
      ['rename_preview', { file: 'b.ts', line: 1, newName: 'x' }],
      ['definition', { name: odd }],
      ['apply_edit', { file: uri, edits: [{ find: 'open', text: 'shut' }] }],
    ];
    for (const [name, args] of calls) {
      const result = await harness.call(client, name, args);
      assert.doesNotMatch(textOf(result), /^modified injected/m, name);
      assert.match(textOf(result), /modified injected/, name);
    }
    const { changes } = (await harness.call(client, 'git_changes')).structuredContent as {
      changes: { file: string }[];
    };
    assert.equal(changes[0]?.file, odd);
    const { messages } = await client.getPrompt({ name: 'review_changes' });
    assert.doesNotMatch(textOf({ content: messages.map(({ content }) => content) }), /^modified injected/m);
  });
});
