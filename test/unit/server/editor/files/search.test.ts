import assert from 'node:assert/strict';
import { rmSync, renameSync } from 'node:fs';
import { PorticoError } from '../../../../../src/base/errors';
import { NullLogger } from '../../../../../src/base/log';
import { FileIndex } from '../../../../../src/server/editor/files/fileIndex';
import { PathGate } from '../../../../../src/server/editor/files/pathGate';
import { SearchThreads } from '../../../../../src/server/editor/files/searchThreads';
import type { SearchCriteria, SearchOutcome } from '../../../../../src/server/editor/files/searchTypes';
import { TextSearch } from '../../../../../src/server/editor/files/textSearch';
import { editorWorker } from '../../../../harness/editorWorker';
import { TemporaryWorkspace } from './temporaryWorkspace';

const asker = { client: { id: 'one', label: 'One' }, signal: new AbortController().signal };

/** Keeps what is told as an error, with its cause. */
class KeptLog extends NullLogger {
  constructor(private readonly kept: string[]) {
    super();
  }

  override error(...told: readonly unknown[]): void {
    this.kept.push(told.map(String).join(' '));
  }
}

describe('text search', () => {
  let ws: TemporaryWorkspace;
  let index: FileIndex;
  let threads: SearchThreads;
  let search: TextSearch;
  let logged: string[];
  beforeEach(async () => {
    ws = new TemporaryWorkspace(['ws', 'lib']);
    const entry = await editorWorker();
    index = new FileIndex(ws.indexSources(), entry, new NullLogger());
    logged = [];
    threads = new SearchThreads(entry, new KeptLog(logged));
    const gate = new PathGate({ folders: ws.folders, settings: ws.settings });
    search = new TextSearch(index, threads, gate, ws.documents);
  });
  afterEach(() => {
    threads.dispose();
    index.dispose();
    ws.dispose();
  });
  const query = (text: string, more: Partial<SearchCriteria> = {}): SearchCriteria => ({
    pattern: { text, isRegExp: false, matchCase: false, wholeWord: false },
    include: [],
    exclude: [],
    maxMatches: 100,
    contextLines: 0,
    maxCharacters: 15_000,
    ...more,
  });
  const regExp = (text: string, more: Partial<SearchCriteria['pattern']> = {}): SearchCriteria =>
    query(text, { pattern: { text, isRegExp: true, matchCase: true, wholeWord: false, ...more } });
  const run = async (what: SearchCriteria): Promise<SearchOutcome> => (await search.run(what, asker)).outcome;
  const places = async (what: SearchCriteria): Promise<string[]> =>
    (await run(what)).files.flatMap(({ path, matches }) =>
      matches.map(({ line, column, endLine, endColumn }) => `${path}:${line}:${column}-${endLine}:${endColumn}`),
    );

  it('finds text and regular expressions, by case and whole words, at lines and UTF-16 columns', async () => {
    ws.write('ws/a.ts', 'const foo = 1;\r\n😀 Foo food\r\n\r\nlast_foo');
    assert.deepEqual(await places(query('foo')), ['a.ts:1:7-1:10', 'a.ts:2:4-2:7', 'a.ts:2:8-2:11', 'a.ts:4:6-4:9']);
    const pattern = { text: 'Foo', isRegExp: false, matchCase: true, wholeWord: false };
    assert.deepEqual(await places(query('', { pattern })), ['a.ts:2:4-2:7']);
    assert.deepEqual(await places(query('', { pattern: { ...pattern, matchCase: false, wholeWord: true } })), [
      'a.ts:1:7-1:10',
      'a.ts:2:4-2:7',
    ]);
    assert.deepEqual(await places(regExp('^.*food$')), ['a.ts:2:1-2:12']);
    assert.deepEqual(await places(regExp('^$')), ['a.ts:3:1-3:1']);
    assert.deepEqual(await places(regExp(';\\n. Foo')), ['a.ts:1:14-2:7']);
    assert.deepEqual(await places(regExp('\\p{Lu}oo')), ['a.ts:2:4-2:7']);
    assert.deepEqual(await places(regExp('last\\_foo')), ['a.ts:4:1-4:9']);
    assert.deepEqual(await places(query('a.b(')), []);
    ws.write('ws/b.ts', 'a.b(c)');
    ws.tell('created', 'ws/b.ts');
    assert.deepEqual(await places(query('A.B(')), ['b.ts:1:1-1:5']);
  });

  it('says what is wrong with a regular expression', async () => {
    const refused = (message: string) => (error: unknown) =>
      PorticoError.is(error, 'ARGUMENTS_INVALID') && error.message === message;
    const message = 'The query is no regular expression: Unterminated group.';
    await assert.rejects(run(regExp('(')), refused(message));
    await assert.rejects(run(regExp('(', { wholeWord: true })), refused(message));
    assert.deepEqual((await run(query('x'))).files, []);
    ws.write('ws/a.txt', 'abc\n'.repeat(1_300_000));
    ws.tell('created', 'ws/a.txt');
    const tooDeep =
      'The regular expression goes too deep in one of the files. Make it simpler, or search for plain text.';
    await assert.rejects(run(regExp('(a|b|c|\\n)*d')), refused(tooDeep));
    assert.deepEqual(logged, []);
  });

  it('says no more than that it failed where that is nobody’s fault, and has the rest in the log', async () => {
    const { files } = await index.snapshot();
    const params = { files, include: { length: 1 } as never, from: 0, limit: 1, maxCharacters: 1_000 };
    await assert.rejects(
      threads.filter(params, asker),
      (error) =>
        PorticoError.is(error, 'INTERNAL') &&
        error.message === 'The files of the workspace could not be looked through. Try again.',
    );
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /TypeError: globs\.map is not a function/);
    assert.equal((await threads.filter({ ...params, include: [] }, asker)).total, 0);
  });

  it('searches unsaved text instead of the file, and no text that was undone', async () => {
    ws.write('ws/a.ts', 'old');
    ws.write('ws/b.ts', 'disk');
    ws.openDocument('ws/a.ts', 'new needle', { isDirty: true });
    ws.openDocument('ws/b.ts', 'stale needle');
    ws.openDocument('outside.ts', 'needle', { isDirty: true });
    const { files } = await run(query('needle'));
    assert.deepEqual(
      files.map(({ path, isBuffer }) => [path, isBuffer]),
      [['a.ts', true]],
    );
    assert.deepEqual(await places(query('old')), []);
    assert.deepEqual(await places(query('disk')), ['b.ts:1:1-1:5']);
  });

  it('goes by globs and directories, and skips what is no text', async () => {
    for (const path of ['ws/src/a.ts', 'ws/src/deep/b.ts', 'ws/src/c.js', 'ws/test/d.ts', 'lib/src/e.ts']) {
      ws.write(path, 'needle');
    }
    ws.write('ws/image.bin', Buffer.from([1, 0, ...Buffer.from('needle')]));
    ws.write('ws/wide.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('needle', 'utf16le')]));
    ws.write('ws/latin.txt', Buffer.from([0xe4, ...Buffer.from(' needle')]));
    const paths = async (more: Partial<SearchCriteria>): Promise<string[]> =>
      (await run(query('needle', more))).files.map(({ folder, path }) => `${folder}/${path}`);
    assert.deepEqual(await paths({ include: ['*.ts'], exclude: ['test'] }), [
      '0/src/a.ts',
      '0/src/deep/b.ts',
      '1/src/e.ts',
    ]);
    assert.deepEqual(await paths({ include: ['src/*.{ts,js}'] }), ['0/src/a.ts', '0/src/c.js', '1/src/e.ts']);
    assert.deepEqual(await paths({ include: ['src/deep/'] }), ['0/src/deep/b.ts']);
    assert.deepEqual(await paths({ scope: { folder: 0, prefix: 'src/' }, exclude: ['**/deep/**'] }), [
      '0/src/a.ts',
      '0/src/c.js',
    ]);
    assert.deepEqual(await paths({ scope: { folder: 0, prefix: '' }, include: ['*.txt', '*.bin'] }), [
      '0/latin.txt',
      '0/wide.txt',
    ]);
    assert.equal((await run(query('needle', { include: ['*.bin'] }))).skipped, 1);
  });

  it('shows the part of a long line around the match, whole characters, and lines around it', async () => {
    ws.write('ws/a.txt', `one\ntwo\n${'😀'.repeat(300)}needle${'x'.repeat(500)}\nfour\nfive`);
    const [file] = (await run(query('needle', { contextLines: 1 }))).files;
    const [match] = file?.matches ?? [];
    assert.ok(match?.textColumn !== undefined && match.text.length <= 241);
    assert.equal(match.text.slice(match.column - match.textColumn).slice(0, 6), 'needle');
    assert.equal(Buffer.from(match.text).toString(), match.text);
    assert.deepEqual([match.before, match.after], [['two'], ['four']]);
    const [first] = (await run(query('one', { contextLines: 2 }))).files[0]?.matches ?? [];
    assert.deepEqual([first?.before, first?.after?.[0]], [[], 'two']);
    assert.equal(first?.after?.length, 2);
  });

  it('goes on where it stopped, with no match lost or told twice', async () => {
    for (const name of ['a', 'b', 'c']) {
      ws.write(`ws/${name}.txt`, 'x x x x x\n'.repeat(3));
    }
    const what = query('x', { maxMatches: 7 });
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
      const result = await search.run(what, asker, cursor);
      cursor = result.nextCursor;
      const found = result.outcome.files.flatMap(({ path, matches }) =>
        matches.map(({ line, column }) => `${path}:${line}:${column}`),
      );
      assert.ok(found.length <= 7);
      seen.push(...found);
    }
    assert.equal(seen.length, 45);
    assert.equal(new Set(seen).size, 45);
    const { nextCursor = '' } = await search.run(what, asker);
    await assert.rejects(search.run({ ...what, include: ['*.md'] }, asker, nextCursor), (error) =>
      PorticoError.is(error, 'ARGUMENTS_INVALID'),
    );
  });

  it('ends a pattern that takes forever, and goes on with the next', async () => {
    ws.write('ws/a.txt', `${'a'.repeat(40)}!`);
    await assert.rejects(run(regExp('(a+)+$')), (error) => PorticoError.is(error, 'TIMEOUT'));
    assert.deepEqual(await places(query('!')), ['a.txt:1:41-1:42']);
  });

  it('has whoever has cancelled a list wait no longer for their turn', async () => {
    const { files } = await index.snapshot();
    const params = { files, include: [], from: 0, limit: 1, maxCharacters: 1_000 };
    const told: string[] = [];
    const abort = new AbortController();
    const list = (name: string, signal = asker.signal): Promise<unknown> =>
      threads.filter(params, { ...asker, signal }).then(
        () => told.push(name),
        () => told.push(`${name} cancelled`),
      );
    const all = [list('first'), list('second'), list('third', abort.signal)];
    abort.abort();
    await Promise.all(all);
    assert.deepEqual(told, ['third cancelled', 'first', 'second']);
  });

  it('takes unsaved texts when its turn has come, and keeps none while it waits', async () => {
    ws.write('ws/a.ts', 'disk');
    const told: string[] = [];
    const text = (): string => {
      told.push('taken');
      return 'unsaved';
    };
    ws.openDocument('ws/a.ts', 'unsaved', { isDirty: true, text });
    const searches = ['first', 'second', 'third'].map(async () => {
      const { searched } = await run(query('unsaved'));
      told.push(`${searched} searched`);
    });
    await Promise.all(searches);
    assert.deepEqual(told, ['taken', '1 searched', 'taken', '1 searched', 'taken', '1 searched']);
  });

  it('is over as soon as it is cancelled', async () => {
    ws.write('ws/a.txt', `${'a'.repeat(40)}!`);
    await index.warm();
    const abort = new AbortController();
    const running = search.run(regExp('(a+)+$'), { ...asker, signal: abort.signal });
    abort.abort();
    await assert.rejects(running, (error) => PorticoError.is(error, 'CANCELLED'));
    await assert.rejects(search.run(query('x'), { ...asker, signal: abort.signal }), (error) =>
      PorticoError.is(error, 'CANCELLED'),
    );
  });

  it('fault 65: reads nothing through links that were put there after it was listed', async () => {
    ws.write('ws/dir/a.txt', 'fine');
    ws.write('ws/b.txt', 'fine');
    ws.write('out/a.txt', 'SECRET');
    await index.warm();
    renameSync(ws.path('ws/dir'), ws.path('gone'));
    ws.link('ws/dir', ws.path('out'));
    rmSync(ws.path('ws/b.txt'));
    ws.link('ws/b.txt', ws.path('out/a.txt'));
    const { files, skipped } = await run(query('SECRET'));
    assert.deepEqual([files, skipped], [[], 2]);
  });
});
