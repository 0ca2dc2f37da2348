import assert from 'node:assert/strict';
import { PorticoError } from '../../../../src/base/errors';
import type { OpenDocument } from '../../../../src/server/editor/editorTypes';
import { loadDocument } from '../../../../src/server/editor/loadedDocument';
import { TextOnDisk } from '../../../../src/server/editor/textOnDisk';
import { EditorHarness } from './editorHarness';
import { FakeEditor } from './fakeEditor';

describe('a document that the editor has loaded', () => {
  let editor: FakeEditor;
  let harness: EditorHarness;
  beforeEach(() => {
    editor = new FakeEditor();
    harness = new EditorHarness(editor);
    editor.write('a.ts', 'inside');
  });
  afterEach(() => harness.dispose());

  async function load(): Promise<OpenDocument> {
    const { files, clock } = harness;
    const disk = new TextOnDisk(files);
    return loadDocument({ ports: editor, files, disk, clock }, await files.find('a.ts'));
  }

  /** What became of it once the editor has had its time. */
  async function outcome(loading: Promise<OpenDocument>): Promise<string> {
    try {
      return (await harness.passing(loading)).text();
    } catch (error) {
      return PorticoError.is(error) ? `${error.code} ${error.message}` : String(error);
    }
  }

  it('is given where it has the text of the file, whoever loaded it', async () => {
    assert.equal((await load()).text(), 'inside');
    assert.equal((await load()).text(), 'inside');
  });

  it('is not given with the text of something else that stood at the path for a moment', async () => {
    editor.openFile('a.ts').set('of a link that is gone', false);
    assert.equal(
      await outcome(load()),
      "RESOURCE_FAILED The editor's text of a.ts is not what the file has now. Try again.",
    );
  });

  it('is waited for where the editor takes over a change only then', async () => {
    const document = editor.openFile('a.ts');
    editor.write('a.ts', 'changed', 10);
    const loading = load();
    editor.reload(document);
    assert.equal(await outcome(loading), 'changed');
  });

  it('is the person’s own where they have typed in it, or have it before them', async () => {
    const document = editor.openFile('a.ts');
    editor.edit(document, 'typed');
    assert.equal((await load()).text(), 'typed');
    document.set('shown', false);
    editor.editors.value = [{ uri: document.uri, label: 'a.ts', isActive: true, isDirty: false }];
    assert.equal((await load()).text(), 'shown');
  });

  it('is not given where nothing can be said of its text', async () => {
    editor.openFile('a.ts').encoding = 'cp437';
    assert.match(await outcome(load()), /^NOT_SUPPORTED .* can be used once it is open in an editor\.$/);
  });
});
