import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { PorticoError } from '../../../../../src/base/errors';
import { NullLogger } from '../../../../../src/base/log';
import { FileIndex } from '../../../../../src/server/editor/files/fileIndex';
import { editorWorker } from '../../../../harness/editorWorker';
import { TemporaryWorkspace } from './temporaryWorkspace';

describe('file index', () => {
  let ws: TemporaryWorkspace;
  let index: FileIndex;
  const open = async (...folders: readonly string[]): Promise<void> => {
    ws.folders.value = folders.map((folder) => ws.folder(folder));
    index = new FileIndex(ws.indexSources(), await editorWorker(), new NullLogger());
  };
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await index.page(cursor);
      found.push(...page.files.map(({ folder, path }) => `${folder.name}/${path}`));
      cursor = page.nextCursor;
    }
    return found;
  };
  beforeEach(() => {
    ws = new TemporaryWorkspace([]);
  });
  afterEach(() => {
    index.dispose();
    ws.dispose();
  });

  it('lists the files of all folders in one order, folder by folder', async () => {
    for (const path of ['b/z.ts', 'b/a/x.ts', 'b/a.ts', 'b/a-b.ts', 'b/a/b/c.ts', 'b/A.ts', 'b/ä.ts', 'a/1.ts']) {
      ws.write(path);
    }
    await open('b', 'a');
    const expected = ['b/A.ts', 'b/a-b.ts', 'b/a.ts', 'b/a/b/c.ts', 'b/a/x.ts', 'b/z.ts', 'b/ä.ts', 'a/1.ts'];
    assert.deepEqual(await names(), expected);
    const [first] = (await index.page()).files;
    assert.equal(first?.uri, ws.uri('b/A.ts'));
  });

  it('leaves out what settings, Git and the list of secrets leave out', async () => {
    ws.write('repo/.git/info/exclude', '/local.txt\n');
    ws.write('repo/.git/HEAD');
    ws.write('repo/.gitignore', '*.log\n!keep.log\nbuild/\n/ws/rooted\n');
    const kept = [
      'a.ts',
      'keep.log',
      'sub/.gitignore',
      'sub/only.tmp',
      'sub/deep/b.log',
      'rooted.ts',
      'x/rooted',
      '.hidden',
    ];
    const left = [
      'b.log',
      'build/x.ts',
      'sub/build/x.ts',
      'sub/c.tmp',
      'rooted',
      'local.txt',
      '.env',
      'deep/.ssh/key',
      'ca.pem',
    ];
    for (const path of [...kept, ...left, 'node_modules/x/index.js', 'x/node_modules/y.js', 'out/a.js', 'x/out/a.js']) {
      ws.write(`repo/ws/${path}`);
    }
    ws.write('repo/ws/sub/.gitignore', '*.tmp\n!only.tmp\n!b.log\n');
    ws.write('repo/local.txt');
    ws.excludes.value = { '': ['unused'], [ws.uri('repo/ws')]: ['**/node_modules', 'out'] };
    await open('repo/ws');
    const found = (await names()).map((name) => name.slice('ws/'.length));
    assert.deepEqual(found, [...kept, 'x/out/a.js', 'local.txt'].sort());
  });

  it('takes a repository in a repository by its own rules', async () => {
    ws.write('ws/.git/HEAD');
    ws.write('ws/.gitignore', '*.gen\n');
    ws.write('ws/a.gen');
    ws.write('ws/inner/.git/HEAD');
    ws.write('ws/inner/.git/info/exclude', 'secret.txt\n');
    ws.write('ws/inner/a.gen');
    ws.write('ws/inner/secret.txt');
    ws.write('ws/tree/.git', `gitdir: ${ws.path('ws/.git/worktrees/tree')}\n`);
    ws.write('ws/.git/worktrees/tree/commondir', '../..\n');
    ws.write('ws/.git/info/exclude', 'mine.txt\n');
    ws.write('ws/tree/mine.txt');
    ws.write('ws/tree/b.gen');
    await open('ws');
    assert.deepEqual(await names(), ['ws/.gitignore', 'ws/inner/a.gen', 'ws/tree/b.gen']);
  });

  it('fault 65: lists no link that leads out, to a secret or to a directory, and no folder twice', async () => {
    for (const path of ['ws/a.ts', 'ws/.env', 'ws/lib/b.ts', 'out/x.ts', 'ws/dir/c.ts']) {
      ws.write(path);
    }
    ws.link('ws/out', ws.path('out'));
    ws.link('ws/x.ts', ws.path('out/x.ts'));
    ws.link('ws/readme', ws.path('ws/.env'));
    ws.link('ws/round', ws.path('ws'));
    ws.link('ws/dead', ws.path('ws/none'));
    ws.link('ws/null', '/dev/null');
    ws.link('ws/inner.ts', ws.path('ws/dir/c.ts'));
    await open('ws', 'ws/lib');
    assert.deepEqual(await names(), ['ws/a.ts', 'ws/dir/c.ts', 'ws/inner.ts', 'lib/b.ts']);
  });

  it('follows what is made and removed, and tells', async () => {
    ['ws/b.ts', 'ws/dir/c.ts', 'ws/dir/d/e.ts'].forEach((path) => ws.write(path));
    ws.write('ws/.gitignore', 'no/\n');
    await open('ws');
    let told = 0;
    index.onDidChange(() => (told += 1));
    assert.deepEqual(await names(), ['ws/.gitignore', 'ws/b.ts', 'ws/dir/c.ts', 'ws/dir/d/e.ts']);
    ['ws/a.ts', 'ws/dir/new/f.ts', 'ws/no/g.ts', 'ws/.env'].forEach((path) => ws.write(path));
    ws.tell('created', 'ws/a.ts', 'ws/dir/new', 'ws/no', 'ws/no/g.ts', 'ws/.env', 'ws/gone.ts');
    ws.tell('changed', 'ws/b.ts');
    const more = ['ws/.gitignore', 'ws/a.ts', 'ws/b.ts', 'ws/dir/c.ts', 'ws/dir/d/e.ts', 'ws/dir/new/f.ts'];
    assert.deepEqual(await names(), more);
    assert.equal(told, 1);
    rmSync(ws.path('ws/dir'), { recursive: true });
    rmSync(ws.path('ws/a.ts'));
    ws.tell('deleted', 'ws/dir', 'ws/a.ts');
    assert.deepEqual(await names(), ['ws/.gitignore', 'ws/b.ts']);
    assert.equal(told, 2);
    ws.tell('created', 'ws/b.ts');
    await index.snapshot();
    assert.equal(told, 2);
    ws.write('ws/saved.ts');
    ws.openDocument('ws/saved.ts', '');
    assert.deepEqual(await names(), ['ws/.gitignore', 'ws/b.ts', 'ws/saved.ts']);
    ws.write('ws/.gitignore', '*.ts\n');
    ws.tell('changed', 'ws/.gitignore');
    assert.deepEqual(await names(), ['ws/.gitignore']);
  });

  it('is made anew as folders, exclusions or secrets change', async () => {
    ['ws/a.ts', 'ws/b.js', 'lib/c.ts'].forEach((path) => ws.write(path));
    await open('ws');
    assert.deepEqual(await names(), ['ws/a.ts', 'ws/b.js']);
    ws.excludes.value = { '': ['**/*.js'] };
    assert.deepEqual(await names(), ['ws/a.ts']);
    ws.folders.value = [ws.folder('ws'), ws.folder('lib')];
    assert.deepEqual(await names(), ['ws/a.ts', 'lib/c.ts']);
    ws.settings.value = { ...ws.settings.value, secrets: ['a.*'] };
    assert.deepEqual(await names(), ['lib/c.ts']);
    ws.folders.value = [];
    assert.deepEqual(await names(), []);
  });

  it('takes thousands of changes at once', async () => {
    mkdirSync(ws.path('ws'));
    await open('ws');
    assert.deepEqual(await names(), []);
    const made = Array.from({ length: 2_001 }, (_each, at) => `ws/f${String(at).padStart(4, '0')}.ts`);
    made.forEach((path) => ws.write(path));
    ws.tell('created', ...made);
    assert.deepEqual(await names(), made);
  });

  it('pages one moment of the workspace, whatever happens meanwhile', async () => {
    const files = Array.from({ length: 450 }, (_each, at) => `ws/f${String(at).padStart(3, '0')}.ts`);
    files.forEach((path) => ws.write(path));
    await open('ws');
    const first = await index.page();
    assert.deepEqual([first.files.length, first.total], [200, 450]);
    ws.write('ws/f000a.ts');
    rmSync(ws.path('ws/f300.ts'));
    ws.tell('created', 'ws/f000a.ts');
    ws.tell('deleted', 'ws/f300.ts');
    assert.ok((await names()).includes('ws/f000a.ts'));
    const second = await index.page(first.nextCursor);
    const third = await index.page(second.nextCursor);
    const all = [first, second, third].flatMap((page) => page.files.map(({ path }) => `ws/${path}`));
    assert.deepEqual(all, files);
    assert.equal(third.nextCursor, undefined);
    assert.equal((await index.page(undefined, 1_000)).files.length, 200);
  });

  it('refuses cursors that are not its own, and those whose moment is gone', async () => {
    Array.from({ length: 201 }, (_each, at) => ws.write(`ws/${at}.ts`));
    await open('ws');
    const { nextCursor = '' } = await index.page();
    const [id, list] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[];
    const forged = [[id, list, -1], [id, list, 'x'], [id, list, 1.5], ['x', list, 0], [id, 'x', 0], {}, 7].map(
      (value) => Buffer.from(JSON.stringify(value)).toString('base64url'),
    );
    const refused = async (cursor: string): Promise<void> =>
      assert.rejects(index.page(cursor), (error) => PorticoError.is(error, 'ARGUMENTS_INVALID'));
    for (const cursor of [
      ...forged,
      '',
      'nonsense',
      '\0',
      index.snapshots.cursor(await index.snapshot(), ['search'], [0]),
    ]) {
      await refused(cursor);
    }
    assert.equal((await index.page(nextCursor)).files.length, 1);
    ws.settings.value = { ...ws.settings.value, secrets: ['0.ts'] };
    await refused(nextCursor);
  });

  it('finds by text, and by letters where that is not enough', async () => {
    const paths = [
      'src/app/mainView.ts',
      'src/main.ts',
      'main.ts',
      'maintain.md',
      'docs/domain.md',
      'src/main/x.ts',
      'My Äpp.ts',
    ];
    paths.forEach((path) => ws.write(`ws/${path}`));
    await open('ws');
    const find = async (query: string, kind: 'file' | 'directory' = 'file', limit = 100): Promise<string[]> =>
      (await index.fuzzy(query, { kind, limit })).found.map(({ path }) => path);
    assert.deepEqual(await find('main.ts', 'file', 2), ['main.ts', 'src/main.ts']);
    assert.deepEqual(await find('MAIN'), [
      'main.ts',
      'src/main.ts',
      'maintain.md',
      'src/app/mainView.ts',
      'docs/domain.md',
      'src/main/x.ts',
    ]);
    assert.deepEqual(await find('mvts'), ['src/app/mainView.ts']);
    assert.deepEqual(await find('äpp'), ['My Äpp.ts']);
    assert.deepEqual(await find('app\\main'), ['src/app/mainView.ts']);
    assert.deepEqual(await find('', 'file', 2), ['My Äpp.ts', 'docs/domain.md']);
    assert.deepEqual(await find('', 'directory'), ['docs', 'src', 'src/app', 'src/main']);
    assert.deepEqual(await find('zzz'), []);
    const { found, total } = await index.fuzzy('s', { kind: 'file', limit: 1, folder: ws.folder('ws') });
    assert.deepEqual([found.length, total > 1], [1, true]);
  });

  it('follows the other changes where a directory has become a link in a circle', async () => {
    ws.write('ws/dir/a.ts');
    await open('ws');
    assert.deepEqual(await names(), ['ws/dir/a.ts']);
    rmSync(ws.path('ws/dir'), { recursive: true });
    ws.link('ws/dir', 'dir');
    ws.write('ws/b.ts');
    ws.tell('created', 'ws/dir/x.ts', 'ws/b.ts');
    assert.ok((await names()).includes('ws/b.ts'));
  });
});
