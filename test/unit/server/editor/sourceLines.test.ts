import assert from 'node:assert/strict';
import { type FileSearch, GatedWorkspaceFiles } from '../../../../src/server/editor/workspaceFiles';
import type { OpenedFile } from '../../../../src/server/editor/files/openedFile';
import { type GatedPath, PathGate } from '../../../../src/server/editor/files/pathGate';
import { SourceLines } from '../../../../src/server/editor/sourceLines';
import { TextOnDisk } from '../../../../src/server/editor/textOnDisk';
import { TemporaryWorkspace } from './files/temporaryWorkspace';

/** Tells how many files are being read. */
class WatchedGate extends PathGate {
  reads = 0;
  most = 0;
  private now = 0;

  override async open(place: GatedPath): Promise<OpenedFile> {
    const opened = await super.open(place);
    const bytes: OpenedFile['bytes'] = async (start, length) => {
      this.reads += 1;
      this.now += 1;
      this.most = Math.max(this.most, this.now);
      const read = await opened.bytes(start, length);
      this.now -= 1;
      return read;
    };
    return Object.assign(Object.create(opened) as OpenedFile, { bytes });
  }
}

describe('source lines', () => {
  let ws: TemporaryWorkspace;
  let gate: WatchedGate;
  let files: GatedWorkspaceFiles;
  beforeEach(() => {
    ws = new TemporaryWorkspace(['ws']);
    gate = new WatchedGate({ folders: ws.folders, settings: ws.settings });
    files = new GatedWorkspaceFiles(ws, gate, {} as FileSearch);
  });
  afterEach(() => ws.dispose());

  it('are read once for all that are asked for together, and cut', async () => {
    ws.write('ws/a.ts', `one  \r\ntwo\n${'x'.repeat(300)}`);
    const lines = new SourceLines(files);
    const uri = ws.uri('ws/a.ts');
    const at = await Promise.all([1, 3, 4, 2].map((line) => lines.at(uri, line)));
    assert.deepEqual(at, [{ text: 'one' }, { text: `${'x'.repeat(200)}…` }, { pastEnd: true }, { text: 'two' }]);
    assert.equal(gate.reads, 1);
    assert.deepEqual(await lines.at(uri, 2), { text: 'two' });
    ws.openDocument('ws/a.ts', 'unsaved', { isDirty: true });
    assert.deepEqual(await new SourceLines(files).at(uri, 1), { text: 'unsaved' });
    assert.deepEqual(await lines.at(ws.uri('ws/none.ts'), 1), {});
  });

  it('of large files are read for a few at a time, whoever asks', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `ws/${at}.ts`);
    names.forEach((name) => ws.write(name, `${'x\n'.repeat(50_000)}${name}`));
    const found = await Promise.all(names.map((name) => new SourceLines(files).at(ws.uri(name), 50_001)));
    assert.deepEqual(
      found.map(({ text }) => text),
      names,
    );
    assert.deepEqual([gate.reads, gate.most], [12, 4]);
  });

  it('a file is compared with the editor’s copy once for all who ask at once', async () => {
    ws.write('ws/a.ts', 'text');
    ws.openDocument('ws/a.ts', 'text');
    const [document] = ws.documents.all();
    assert.ok(document);
    const disk = new TextOnDisk(files);
    const file = await files.find('a.ts');
    assert.deepEqual(await Promise.all([disk.compare(file, document), disk.compare(file, document)]), ['same', 'same']);
    assert.equal(gate.reads, 1);
    ws.write('ws/a.ts', 'other');
    assert.equal(await disk.compare(file, document), 'different');
  });
});
