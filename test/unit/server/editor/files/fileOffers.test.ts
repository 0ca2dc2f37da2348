import assert from 'node:assert/strict';
import { UriTemplate } from '@modelcontextprotocol/server';
import { PorticoError, type PorticoErrorCode } from '../../../../../src/base/errors';
import { NullLogger } from '../../../../../src/base/log';
import { ArgumentCheck } from '../../../../../src/server/editor/argumentCheck';
import { assertGlobs } from '../../../../../src/server/editor/files/agentGlobs';
import { createFileOffers, type FileOffers } from '../../../../../src/server/editor/files/fileOffers';
import { IndexedFileSearch } from '../../../../../src/server/editor/files/indexedFileSearch';
import type { OfferContext, ResourceKind } from '../../../../../src/server/editor/offerTypes';
import { editorWorker } from '../../../../harness/editorWorker';
import { TemporaryWorkspace } from './temporaryWorkspace';

const context: OfferContext = {
  client: { id: 'test', label: 'Test' },
  signal: new AbortController().signal,
  progress: () => undefined,
};
const MOST_TOKENS = 8_000;
const refusedWith =
  (code: PorticoErrorCode, pattern = /./) =>
  (error: unknown): boolean =>
    PorticoError.is(error, code) && pattern.test(error.message);

describe('what is offered of files', () => {
  let ws: TemporaryWorkspace;
  let offers: FileOffers;
  let kind: ResourceKind;
  const check = new ArgumentCheck();
  beforeEach(async () => {
    ws = new TemporaryWorkspace(['ws']);
    offers = createFileOffers(
      { workspace: ws.workspace, documents: ws.documents, settings: ws.settings },
      await editorWorker(),
      new NullLogger(),
    );
    [kind] = offers.set.resources as [ResourceKind];
  });
  afterEach(() => {
    offers.dispose();
    ws.dispose();
  });

  /** Runs a tool as the server does, and holds its answer against its own schema and the size that agents take. */
  const run = async (
    name: string,
    args: Record<string, unknown>,
  ): Promise<{ value: Record<string, unknown>; text: string }> => {
    const tool = offers.set.tools.find(({ definition }) => definition.name === name)!;
    check.check(tool.definition, args);
    const result = await tool.run(args, context);
    const { content } = result;
    const structuredContent = result.structuredContent as Record<string, unknown>;
    check.check(
      { ...tool.definition, inputSchema: { ...tool.definition.outputSchema, type: 'object' } },
      structuredContent,
    );
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    const size = text.length + JSON.stringify(structuredContent).length;
    assert.ok(size <= MOST_TOKENS * 4, String(size));
    return { value: structuredContent, text };
  };

  it('reads a file in parts of the same text', async () => {
    const lines = Array.from({ length: 2_000 }, (_each, at) => `line ${at + 1} "quoted"\n`);
    ws.write('ws/a.ts', lines.join(''));
    let cursor: unknown;
    let text = '';
    do {
      const { value } = await run('read_file', { file: 'a.ts', ...(cursor === undefined ? {} : { cursor }) });
      text += String(value['text']);
      assert.deepEqual([value['totalLines'], value['source'], value['uri']], [2_000, 'disk', ws.uri('ws/a.ts')]);
      cursor = value['nextCursor'];
    } while (cursor !== undefined);
    assert.equal(text, lines.join(''));
    const range = await run('read_file', { file: ws.uri('ws/a.ts'), startLine: 3, endLine: 4 });
    assert.equal(range.text, `a.ts lines 3-4 of 2000\n${lines[2]}${lines[3]}`);
    const { value } = await run('read_file', { file: 'a.ts' });
    ws.openDocument('ws/a.ts', 'unsaved', { isDirty: true, version: 3 });
    await assert.rejects(
      run('read_file', { file: 'a.ts', cursor: value['nextCursor'] }),
      refusedWith('ARGUMENTS_INVALID'),
    );
    assert.equal((await run('read_file', { file: 'a.ts' })).text, 'a.ts lines 1-1 of 1, unsaved\nunsaved');
    await assert.rejects(
      run('read_file', { file: 'a.ts', startLine: 2 }),
      refusedWith('ARGUMENTS_INVALID', /has 1 line;/),
    );
    await assert.rejects(run('read_file', { file: 'a.ts', startLine: 0 }), refusedWith('ARGUMENTS_INVALID'));
    await assert.rejects(run('read_file', { file: 'a.ts', cursor: 'x' }), refusedWith('ARGUMENTS_INVALID'));
    await assert.rejects(run('read_file', { file: '.' }), refusedWith('RESOURCE_UNKNOWN', /list_files/));
  });

  it('counts one line in an empty file, as everywhere', async () => {
    ws.write('ws/empty.txt');
    const { value, text } = await run('read_file', { file: 'empty.txt' });
    assert.deepEqual([text, value['totalLines']], ['empty.txt lines 1-1 of 1\n', 1]);
  });

  it('refuses globs that are none, before it looks at a file', async () => {
    for (const glob of ['\\', '/', './', '//', '[', 'a{b', 'src/[a-', '(x']) {
      for (const args of [{ include: [glob] }, { include: ['*.ts', glob] }]) {
        await assert.rejects(run('list_files', args), refusedWith('ARGUMENTS_INVALID', /^include: .* is no glob/));
      }
      const search = run('search_text', { query: 'x', exclude: [glob] });
      await assert.rejects(search, refusedWith('ARGUMENTS_INVALID', /^exclude: .* is no glob/));
    }
    for (const glob of ['[id].ts', '*', '**', '.*', 'src\\**', './src/', '{a,b}/*.md', 'a?.ts', 'a b', '!x']) {
      assertGlobs('include', [glob]);
    }
  });

  it('keeps within what agents take, whatever the text is', async () => {
    ws.write('ws/long.txt', '"\\\n'.repeat(3_000) + '"'.repeat(60_000));
    ws.write('ws/tabs.txt', '\t'.repeat(60_000));
    for (const file of ['long.txt', 'tabs.txt']) {
      let cursor: unknown;
      do {
        const { value } = await run('read_file', { file, ...(cursor === undefined ? {} : { cursor }) });
        cursor = value['nextCursor'];
      } while (cursor !== undefined);
    }
    await run('search_text', { query: '"', contextLines: 5, maxResults: 500 });
  });

  it('lists files by directory and globs, page by page', async () => {
    const paths = Array.from(
      { length: 300 },
      (_each, at) => `src/${'deep/'.repeat(8)}file${String(at).padStart(3, '0')}.ts`,
    );
    [...paths, 'a.md', 'docs/b.md'].forEach((path) => ws.write(`ws/${path}`));
    const all: string[] = [];
    let cursor: unknown;
    do {
      const { value } = await run('list_files', cursor === undefined ? {} : { cursor });
      all.push(...(value['files'] as { file: string }[]).map(({ file }) => file));
      assert.equal(value['total'], 302);
      cursor = value['nextCursor'];
    } while (cursor !== undefined);
    assert.deepEqual(all, ['a.md', 'docs/b.md', ...paths]);
    const names = async (args: Record<string, unknown>): Promise<string> => (await run('list_files', args)).text;
    assert.equal(await names({ include: ['*.md'] }), 'a.md\ndocs/b.md');
    assert.equal(await names({ directory: 'docs' }), 'docs/b.md');
    assert.equal(await names({ directory: ws.uri('ws/docs'), include: ['*.ts'] }), 'No files.');
    const { value } = await run('list_files', {});
    await assert.rejects(
      run('list_files', { directory: 'src', cursor: value['nextCursor'] }),
      refusedWith('ARGUMENTS_INVALID'),
    );
    await assert.rejects(run('list_files', { directory: '/etc' }), refusedWith('RESOURCE_UNKNOWN'));
    assert.equal((await run('find_files', { query: 'b.md' })).text, 'docs/b.md');
    assert.equal((await run('find_files', { query: 'zzz' })).text, 'No file fits "zzz".');
  });

  it('searches text, and says where it is', async () => {
    ws.write('ws/src/a.ts', 'one\n  needle two\nneedle');
    ws.write('ws/b.ts', 'none');
    ws.openDocument('ws/b.ts', 'a needle', { isDirty: true });
    const { value, text } = await run('search_text', { query: 'needle', contextLines: 1 });
    assert.equal(text, 'b.ts (unsaved)\n  1:3: a needle\nsrc/a.ts\n  2:3: needle two\n  3:1: needle');
    assert.deepEqual((value['files'] as { matches: unknown[] }[])[1]?.matches[0], {
      line: 2,
      column: 3,
      endLine: 2,
      endColumn: 9,
      text: '  needle two',
      before: ['one'],
      after: ['needle'],
    });
    const first = await run('search_text', { query: 'needle', maxResults: 2 });
    const cursor = first.value['nextCursor'];
    const rest = await run('search_text', { query: 'needle', maxResults: 2, cursor });
    assert.equal(rest.text, 'src/a.ts\n  3:1: needle');
    await assert.rejects(
      run('search_text', { query: '(', isRegExp: true }),
      refusedWith('ARGUMENTS_INVALID', /regular/i),
    );
    assert.equal(
      (await run('search_text', { query: 'needle', directory: 'src', include: ['b.*', 'a.*'] })).text,
      rest.text.replace('3:1: needle', '2:3: needle two\n  3:1: needle'),
    );
    assert.equal((await run('search_text', { query: 'nothing', directory: 'src' })).text, 'No matches.');
  });

  it('says where nothing was looked through, rather than that nothing is there', async () => {
    ws.write('ws/src/a.ts', 'needle');
    ws.write('ws/.gitignore', 'left');
    ws.write('ws/.git/HEAD', 'needle');
    ws.write('ws/left/a.ts', 'needle');
    ws.write('elsewhere/a.ts', 'needle');
    ws.link('ws/link', 'src');
    ws.link('ws/src/up', '..');
    ws.link('ws/out', '../elsewhere');
    ws.settings.value = { ...ws.settings.value, allowedDirectories: [ws.path('elsewhere')] };
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['link', /link is a link or below one, and is not looked through\. Give the directory itself: src\./],
      ['src/up/src', /src\/up\/src is a link or below one[^]*: src\./],
      ['out', /out is a link[^]*read_file reads single files of it\./],
    ];
    for (const [directory, message] of refusals) {
      for (const [tool, args] of [
        ['search_text', { query: 'needle', directory }],
        ['list_files', { directory }],
      ] as const) {
        await assert.rejects(run(tool, args), refusedWith('ARGUMENTS_INVALID', message), directory);
      }
    }
    for (const more of [{ directory: 'left' }, { directory: '.git' }, { include: ['*.md'] }]) {
      const { value, text } = await run('search_text', { query: 'needle', ...more });
      assert.equal(value['searched'], 0);
      assert.match(text, /^No file was looked through/);
    }
    assert.match(
      (await run('list_files', { directory: 'left' })).text,
      /^No files that Git and the settings do not leave out/,
    );
  });

  it('looks through a folder that is itself a link', async () => {
    ws.write('elsewhere/sub/a.ts', 'needle');
    ws.link('linked', 'elsewhere');
    ws.folders.value = [ws.folder('linked')];
    assert.equal((await run('list_files', { directory: 'sub' })).text, 'sub/a.ts');
    assert.match((await run('search_text', { query: 'needle', directory: '.' })).text, /sub\/a\.ts/);
  });

  it('is a list of resources, pages after the folders', async () => {
    ws.write('ws/a b.ts');
    ws.write('ws/picture.png');
    assert.deepEqual(
      kind.curated().map(({ uri, name }) => [uri, name]),
      [[ws.uri('ws'), 'ws']],
    );
    assert.deepEqual(await kind.page?.(undefined), {
      resources: [
        { uri: ws.uri('ws/a b.ts'), name: 'a b.ts', mimeType: 'text/typescript' },
        { uri: ws.uri('ws/picture.png'), name: 'picture.png', mimeType: 'image/png' },
      ],
    });
    await assert.rejects(async () => kind.page?.('x'), refusedWith('ARGUMENTS_INVALID'));
  });

  it('gives resources by any form of their URI, with what is known of the text', async () => {
    ws.write('ws/a b.ts', 'text');
    ws.openDocument('ws/a b.ts', 'unsaved', { isDirty: true, version: 2 });
    const path = ws.path('ws/a b.ts');
    for (const uri of [
      ws.uri('ws/a b.ts'),
      `FILE://${path}`,
      path,
      'a b.ts',
      `file://localhost${path.replace('a b', '%61%20b')}`,
    ]) {
      assert.ok(kind.owns(uri));
      assert.deepEqual((await kind.read(uri, context)).contents, [
        {
          uri: ws.uri('ws/a b.ts'),
          mimeType: 'text/typescript',
          text: 'unsaved',
          _meta: {
            'portico/path': 'a b.ts',
            'portico/source': 'buffer',
            'portico/dirty': true,
            'portico/version': 2,
            'portico/encoding': 'utf8',
            'portico/eol': 'lf',
            'portico/truncated': false,
          },
        },
      ]);
    }
    assert.deepEqual(
      ['editor://active', 'untitled:x', 'diagnostics://a'].map((uri) => kind.owns(uri)),
      [false, false, false],
    );
    const [listing] = (await kind.read(ws.uri('ws'), context)).contents;
    assert.ok(listing && 'text' in listing);
    const { entries } = JSON.parse(listing.text) as { entries: unknown };
    assert.deepEqual(entries, [{ name: 'a b.ts', kind: 'file', uri: ws.uri('ws/a b.ts') }]);
  });

  it('fault 65: gives and watches nothing outside, whichever way it is asked', async () => {
    ws.write('out/x.ts', 'SECRET');
    ws.write('ws-secret/x.ts', 'SECRET');
    ws.write('ws/.env', 'SECRET');
    ws.link('ws/out', ws.path('out'));
    const names = [
      ws.path('out/x.ts'),
      ws.uri('ws-secret/x.ts'),
      ws.uri('ws/out/x.ts'),
      ws.uri('ws/.env'),
      ws.uri('ws/none'),
    ];
    const attacks = [
      `file://${ws.path('ws')}/../out/x.ts`,
      `file://${ws.path('ws')}/%2e%2e%2fout/x.ts`,
      `file://host${ws.path('ws')}/a`,
    ];
    for (const name of [...names, ...attacks, '/etc/passwd']) {
      await assert.rejects(kind.read(name, context), refusedWith('RESOURCE_UNKNOWN'), name);
      await assert.rejects(
        kind.watch(name, () => undefined),
        refusedWith('RESOURCE_UNKNOWN'),
        name,
      );
      await assert.rejects(run('read_file', { file: name }), refusedWith('RESOURCE_UNKNOWN'), name);
    }
    assert.deepEqual((await kind.page?.(undefined))?.resources, []);
    assert.match((await run('search_text', { query: 'SECRET' })).text, /^No file was looked through/);
  });

  it('completes its templates, and what is completed can be read', async () => {
    for (const path of ['src/a b#c?.ts', 'src/100%.ts', 'src/plain.ts']) {
      ws.write(`ws/${path}`, path);
    }
    const [file, directory] = kind.templates().map(({ uriTemplate }) => uriTemplate) as [string, string];
    const folders = await kind.complete(file, 'folder', 'WS', {});
    assert.deepEqual(folders, { values: [ws.path('ws')], total: 1, hasMore: false });
    const folder = folders.values[0]!;
    const paths = await kind.complete(file, 'path', 'src', { folder });
    assert.equal(paths?.total, 3);
    for (const path of paths.values) {
      for (const uri of [new UriTemplate(file).expand({ folder, path }), `file://${folder}/${path}`]) {
        const [content] = (await kind.read(uri, context)).contents;
        assert.ok(content && 'text' in content);
        assert.equal(content.text, path);
      }
    }
    assert.deepEqual((await kind.complete(directory, 'directory', '', { folder }))?.values, ['src']);
    assert.deepEqual(await kind.complete(file, 'path', 'a', { folder: '/other' }), {
      values: [],
      total: 0,
      hasMore: false,
    });
    assert.equal(await kind.complete('x://{path}', 'path', '', {}), undefined);
    Array.from({ length: 120 }, (_each, at) => ws.write(`ws/many/${at}.md`));
    ws.tell('created', 'ws/many');
    await offers.parts.index.snapshot();
    const many = await kind.complete(file, 'path', 'many', {});
    assert.deepEqual([many?.values.length, many?.total, many?.hasMore], [100, 120, true]);
  });

  it('reads nothing for whom has cancelled', async () => {
    ws.write('ws/a.ts', 'text');
    const cancelled = { ...context, signal: AbortSignal.abort() };
    for (const uri of [ws.uri('ws/a.ts'), ws.uri('ws')]) {
      await assert.rejects(kind.read(uri, cancelled), refusedWith('CANCELLED'), uri);
    }
  });

  it('tells of changes on disk and in the buffer, and of those alone', async () => {
    ws.write('ws/src/a.ts', 'text');
    let [file, directory] = [0, 0];
    const watches = [
      await kind.watch('src/a.ts', () => (file += 1)),
      await kind.watch(ws.uri('ws/src'), () => (directory += 1)),
    ];
    ws.tell('changed', 'ws/src/a.ts');
    ws.tell('changed', 'ws/src/b.ts', 'ws/a.ts');
    assert.deepEqual([file, directory], [1, 0]);
    const before = await kind.fingerprint?.('src/a.ts', context);
    ws.openDocument('ws/src/a.ts', 'unsaved', { isDirty: true });
    assert.deepEqual([file, directory], [2, 0]);
    assert.notEqual(await kind.fingerprint?.('src/a.ts', context), before);
    ws.tell('created', 'ws/src/c.ts', 'ws/src/deep/d.ts');
    ws.tell('deleted', 'ws/other/c.ts');
    assert.deepEqual([file, directory], [2, 1]);
    watches.forEach((each) => each.dispose());
    ws.tell('changed', 'ws/src/a.ts');
    assert.deepEqual([file, directory], [2, 1]);
    ws.open.clear();
    ws.write('ws/large.txt', 'x'.repeat(2_000_000));
    const large = await kind.fingerprint?.('large.txt', context);
    ws.write('ws/large.txt', 'x'.repeat(2_000_001));
    assert.notEqual(await kind.fingerprint?.('large.txt', context), large);
  });

  it('gives other parts of the server files and labels', async () => {
    ['ws/a.ts', 'ws/src/b.ts', 'ws/src/c.ts'].forEach((path) => ws.write(path));
    const search = new IndexedFileSearch(offers.parts);
    assert.deepEqual(await search.list(ws.path('ws/src'), 1), { paths: [ws.path('ws/src/b.ts')], total: 2 });
    assert.deepEqual(await search.list(ws.path('ws/none'), 9), { paths: [], total: 0 });
    const all = ['ws/a.ts', 'ws/src/b.ts', 'ws/src/c.ts'].map((path) => ws.path(path));
    assert.deepEqual(await search.list(undefined, 9), { paths: all, total: 3 });
    ws.folders.value = [ws.folder('ws'), ws.folder('ws/src')];
    const ofBoth = await search.list(ws.path('ws'), 2);
    assert.deepEqual([ofBoth.paths, ofBoth.total], [all.slice(0, 2), 3]);
    const ofInner = await search.list(ws.path('ws/src'), 9);
    assert.deepEqual([ofInner.paths, ofInner.total], [all.slice(1), 2]);
    ws.folders.value = [ws.folder('ws')];
    assert.deepEqual(await search.complete('b', 'file'), { values: ['src/b.ts'], total: 1, hasMore: false });
    assert.deepEqual((await search.complete('', 'directory')).values, ['src']);
  });

  it('names files of folders with the same name so that they are read back as what they are', async () => {
    const files = { 'ws/a.ts': 'one', 'other/ws/a.ts': 'two', 'other/ws/b/c.ts': 'three', 'b/c.ts': 'four' };
    Object.entries(files).forEach(([path, text]) => ws.write(path, `needle ${text}`));
    ws.folders.value = ['ws', 'other/ws', 'b'].map((folder) => ws.folder(folder));
    const listed = async (name: string, args: Record<string, unknown>) =>
      (await run(name, args)).value['files'] as readonly { readonly file: string; readonly uri: string }[];
    const { resources } = (await kind.page?.(undefined)) ?? { resources: [] };
    const named = [
      ...(await listed('list_files', {})),
      ...(await listed('find_files', { query: 'ts' })),
      ...(await listed('search_text', { query: 'needle' })),
      ...resources.map(({ name, uri }) => ({ file: name, uri })),
    ];
    assert.equal(named.length, 16);
    for (const { file, uri } of named) {
      const { value } = await run('read_file', { file });
      assert.deepEqual([value['file'], value['uri']], [file, uri]);
    }
  });
});
