import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { EditorSymbol } from '../../../../src/server/editor/editorTypes';
import { problem, range } from './fakeEditor';
import { EditorHarness, textOf } from './editorHarness';

/** Names that look harmless and lead to a secret, or out of the workspace; each holds `KEY=1`. */
const links = ['plain.txt', 'out.txt', 'dir/x.ts', 'made.ts'];

describe('text behind links', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    const { editor } = harness;
    editor.write('.env', 'KEY=1\nKEY=1\n');
    editor.write('a.ts', 'open();\n');
    mkdirSync(join(editor.root, 'outside'));
    for (const name of ['x.ts', 'out.txt']) {
      writeFileSync(join(editor.root, 'outside', name), 'KEY=1\nKEY=1\n');
    }
    symlinkSync('.env', editor.path('plain.txt'));
    symlinkSync('../outside/out.txt', editor.path('out.txt'));
    symlinkSync('../outside', editor.path('dir'));
    symlinkSync('plain.txt', editor.path('made.ts'));
    links.forEach((name) => editor.openFile(name));
  });
  afterEach(() => harness.dispose());

  async function read(uri: string): Promise<string> {
    return JSON.stringify(await harness.passing(client.readResource({ uri })));
  }
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
    JSON.stringify(await harness.call(client, name, args));

  it('is not in the active editor, the selection or the open editors', async () => {
    const { editor } = harness;
    for (const name of links) {
      const uri = editor.uri(name);
      editor.active.value = { uri, languageId: 'x', selections: [range(0, 0, 0, 5)], visible: undefined };
      editor.editors.value = [{ uri, label: name, isActive: true, isDirty: false }];
      const told = [await call('active_context'), await read('editor://active'), await read('editor://selection')];
      for (const text of told) {
        assert.doesNotMatch(text, /KEY=1/, name);
        assert.match(text, /withheld/, name);
      }
      assert.match(await read('editor://open'), /\\"editors\\":\s*\[\]/);
      await assert.rejects(client.getPrompt({ name: 'explain_selection' }), /list of secret files/, name);
    }
  });

  it('is not in the problems that extensions report of it', async () => {
    const { editor } = harness;
    links.forEach((name) => editor.publish(editor.uri(name), problem('KEY=1 is not a word')));
    editor.changed = links.map((name) => ({ uri: editor.uri(name), status: 'modified', isStaged: false }));
    const told = [
      await call('get_diagnostics'),
      await call('get_diagnostics', { modified: true }),
      await call('get_diagnostics', { folder: '.' }),
      await read('diagnostics://workspace'),
      await read('diagnostics://severity/error'),
    ];
    for (const text of told) {
      assert.doesNotMatch(text, /KEY=1|plain\.txt|out\.txt|x\.ts|made\.ts/);
    }
  });

  it('is not in symbols, nor beside the places that extensions name', async () => {
    const { editor } = harness;
    const found = links.map((name): EditorSymbol => {
      const place = { uri: editor.uri(name), range: range(0, 0), selection: range(0, 0) };
      return { name: 'KEY=1', kind: 'variable', detail: 'KEY=1', container: undefined, children: [], ...place };
    });
    editor.found = found;
    editor.locations = found;
    assert.match(await call('workspace_symbols', { query: 'KEY' }), /No symbols/);
    const result = await harness.call(client, 'references', { file: 'a.ts', line: 1 });
    const { items } = result.structuredContent as { items: { external?: boolean; sourceLine?: string }[] };
    assert.deepEqual(
      items.map(({ external, sourceLine }) => [external, sourceLine]),
      links.map(() => [true, undefined]),
    );
  });

  it('is neither shown by a preview nor changed', async () => {
    const { editor } = harness;
    for (const name of links) {
      editor.renaming = {
        edits: [{ uri: editor.uri(name), replacements: [{ range: range(0, 0), text: 'x' }] }],
        files: [],
      };
      for (const tool of ['rename_preview', 'rename']) {
        const result = await harness.call(client, tool, { file: 'a.ts', line: 1, newName: 'x' });
        assert.equal(result.isError, true);
        assert.match(textOf(result), /outside the workspace or on the list of secret files/);
      }
    }
    assert.deepEqual(editor.asked, []);
  });

  it('is not written to by an edit whose file became a link while the person was asked', async () => {
    const { editor } = harness;
    editor.write('late.ts', 'one\n');
    editor.answerConfirm = async () => {
      renameSync(editor.path('plain.txt'), editor.path('late.ts'));
      return true;
    };
    const result = await harness.call(client, 'apply_edit', { file: 'late.ts', edits: [{ find: 'one', text: 'two' }] });
    assert.equal(result.isError, true);
    assert.equal(editor.open.get(editor.uri('late.ts'))?.text(), 'one\n');
  });

  it('is refused for a document that was never saved where its place is that of a secret', async () => {
    const { editor } = harness;
    for (const place of [editor.uri('new.env.txt'), editor.uri('.env.local'), editor.uri('dir/new.ts')]) {
      const uri = place.replace('file://', 'untitled:');
      editor.openUntitled(uri, 'KEY=1\n');
      editor.active.value = { uri, languageId: 'x', selections: [range(0, 0, 0, 5)], visible: undefined };
      const isGiven = place.endsWith('new.env.txt');
      assert.equal((await call('active_context')).includes('KEY=1'), isGiven, uri);
      assert.equal((await call('definition', { file: uri, line: 1, column: 1 })).includes('KEY=1'), isGiven, uri);
    }
  });
});
