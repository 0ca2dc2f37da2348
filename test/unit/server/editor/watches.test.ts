import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { DisposableStore, toDisposable } from '../../../../src/base/disposable';
import { Emitter, type Event } from '../../../../src/base/emitter';
import { NullLogger } from '../../../../src/base/log';
import { createEditorServer } from '../../../../src/server/editor/createEditorServer';
import type { EditorPorts, FileChange } from '../../../../src/server/editor/editorTypes';
import type { EditorServer } from '../../../../src/server/editor/editorServer';
import { wholeScope } from '../../../../src/server/editor/offerCatalog';
import { editorWorker } from '../../../harness/editorWorker';
import { agent } from './editorHarness';
import { FakeEditor } from './fakeEditor';

/** An editor's ports, with what counts how many listen to them and how often what they tell is looked at. */
class CountedPorts {
  listeners = 0;
  looks = 0;
  readonly ports: EditorPorts;
  private readonly changes = new Emitter<readonly FileChange[]>();

  constructor(private readonly editor: FakeEditor) {
    const { workspace, documents, diagnostics, view, language, edits, tasks, git, confirm, settings } = editor;
    this.ports = {
      ...{ view, language, edits, tasks, git, confirm, settings },
      workspace: { ...workspace, onDidChangeFiles: this.counted(this.changes.event) },
      documents: { ...documents, onDidChange: this.counted(documents.onDidChange) },
      diagnostics: { ...diagnostics, onDidChange: this.counted(diagnostics.onDidChange) },
    };
  }

  tell(kind: FileChange['kind'], ...names: readonly string[]): void {
    const look = (): number => (this.looks += 1);
    this.changes.fire(
      names.map((name) => {
        const uri = this.editor.uri(name);
        return {
          kind,
          get uri() {
            look();
            return uri;
          },
        };
      }),
    );
  }

  private counted<T>(event: Event<T>): Event<T> {
    return (run) => {
      this.listeners += 1;
      const listening = event(run);
      return toDisposable(() => {
        this.listeners -= 1;
        listening.dispose();
      });
    };
  }
}

describe('what is watched in the editor server', () => {
  let store: DisposableStore;
  let editor: FakeEditor;
  let counted: CountedPorts;
  let server: EditorServer;

  beforeEach(async () => {
    store = new DisposableStore();
    editor = store.add(new FakeEditor());
    counted = new CountedPorts(editor);
    ['lib/a.ts', 'lib/b.ts', 'lib/deep/c.ts', 'other/d.ts', '.env'].forEach((name) => editor.write(name, 'text'));
    server = store.add(
      createEditorServer({
        ports: counted.ports,
        worker: await editorWorker(),
        version: '1.2.3',
        scopeOf: () => wholeScope,
        log: new NullLogger(),
      }),
    ).server;
  });
  afterEach(() => store.dispose());

  /** What hears of a happening, of all that is watched. */
  async function hearing(uris: readonly string[], happen: () => void): Promise<readonly string[]> {
    const heard = new Set<string>();
    const watches = await Promise.all(uris.map((uri) => server.watched.watch(uri, agent, () => heard.add(uri))));
    happen();
    watches.forEach((watch) => watch.dispose());
    return uris.filter((uri) => heard.has(uri));
  }

  for (const [what, address] of [
    ['a file', 'lib/a.ts'],
    ['a directory', 'lib'],
    ['the symbols of a file', 'symbols://file/lib/a.ts'],
    ['the problems of a file', 'diagnostics://file/lib/a.ts'],
    ['the problems below a folder', 'diagnostics://folder/lib'],
    ['the problems of the workspace', 'diagnostics://workspace'],
  ] as const) {
    it(`looks at a change once, however many watch ${what}`, async () => {
      const watched = async (times: number): Promise<readonly number[]> => {
        let told = 0;
        const uri = address.includes(':') ? address : editor.uri(address);
        const watching = Array.from({ length: times }, () => server.watched.watch(uri, agent, () => (told += 1)));
        const watches = await Promise.all(watching);
        const { listeners } = counted;
        counted.looks = 0;
        counted.tell('deleted', '.env', ...Array.from({ length: 20 }, (_each, at) => `elsewhere/${at}.ts`));
        const { looks } = counted;
        told = 0;
        counted.tell('created', 'lib/a.ts');
        watches.forEach((watch) => watch.dispose());
        counted.tell('created', 'lib/a.ts');
        assert.equal(told, times);
        return [listeners, looks];
      };
      const before = counted.listeners;
      const [listeners = 0, looks = 0] = await watched(1);
      assert.ok(listeners > before && looks > 0);
      assert.deepEqual(await watched(40), [listeners, looks]);
      assert.equal(counted.listeners, before);
    });
  }

  it('tells of files and of what comes and goes in directories', async () => {
    const uris = ['lib/a.ts', 'lib/b.ts', 'lib', 'lib/deep', ''].map((name) => editor.uri(name).replace(/\/$/, ''));
    const [a = '', b = '', lib = '', deep = '', folder = ''] = uris;
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', 'lib/a.ts', 'other/a.ts')), [a]);
    assert.deepEqual(await hearing(uris, () => counted.tell('created', 'lib/a.ts', 'lib/b.ts')), [a, b, lib]);
    assert.deepEqual(await hearing(uris, () => counted.tell('deleted', 'lib/deep/c.ts')), [deep]);
    assert.deepEqual(await hearing(uris, () => counted.tell('created', 'lib')), [folder]);
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', 'lib')), []);
    assert.deepEqual(await hearing(uris, () => void editor.openFile('lib/b.ts')), [b]);
  });

  it('tells of what a link leads to by either name', async () => {
    symlinkSync(editor.path('lib'), editor.path('linked'));
    const uris = [editor.uri('linked/a.ts'), editor.uri('linked')];
    const [file, directory] = uris;
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', 'linked/a.ts')), [file]);
    assert.deepEqual(await hearing(uris, () => counted.tell('deleted', 'lib/a.ts')), [file, directory]);
    assert.deepEqual(await hearing(uris, () => counted.tell('created', 'linked/new.ts')), [directory]);
  });

  it('tells of symbols as of the file that they are in', async () => {
    const uris = ['symbols://file/lib/a.ts', 'symbols://file/lib/b.ts'];
    const [a, b] = uris;
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', 'lib/a.ts', 'other/b.ts')), [a]);
    assert.deepEqual(await hearing(uris, () => void editor.openFile('lib/b.ts')), [b]);
  });

  it('tells of problems by file, by folder and of the workspace, and of no secret', async () => {
    const [a, lib, deep, workspace] = [
      'diagnostics://file/lib/a.ts',
      'diagnostics://folder/lib',
      'diagnostics://folder/lib/deep',
      'diagnostics://workspace',
    ];
    const uris = [a, lib, deep, workspace];
    assert.deepEqual(await hearing(uris, () => editor.publish(editor.uri('lib/a.ts'))), [a, lib, workspace]);
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', 'lib/deep/c.ts')), [lib, deep, workspace]);
    assert.deepEqual(await hearing(uris, () => void editor.openFile('other/d.ts')), [workspace]);
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', '.env', 'lib/deep/.env')), []);
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', 'lib/.env', 'lib/b.ts')), [lib, workspace]);
    assert.deepEqual(await hearing(uris, () => counted.tell('deleted', 'lib')), [lib, workspace]);
    assert.deepEqual(await hearing(uris, () => counted.tell('changed', 'library/a.ts')), [workspace]);
  });
});
