import assert from 'node:assert/strict';
import { statSync, symlinkSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { problem, range } from '../fakeEditor';
import { EditorHarness, textOf } from '../editorHarness';

describe('questions about diagnostics', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    for (const name of ['src/a.ts', 'src/b.ts', 'lib/c.ts']) {
      harness.editor.write(name, 'one\ntwo\nthree\n');
    }
  });
  afterEach(() => harness.dispose());

  async function get(args: Record<string, unknown> = {}) {
    const result = await harness.call(client, 'get_diagnostics', args);
    assert.notEqual(result.isError, true, textOf(result));
    return result.structuredContent as {
      complete: boolean;
      total: number;
      counts: Record<string, number>;
      sources: Record<string, number>;
      baseline: string;
      nextCursor?: string;
      items: { message: string; file: string; code?: string; codeUrl?: string }[];
      files: { file: string; state: string }[];
    };
  }
  const messages = (answer: { items: { message: string }[] }): string[] => answer.items.map(({ message }) => message);

  function publishAll(): void {
    const { editor } = harness;
    editor.publish(
      editor.uri('src/b.ts'),
      problem('b hint', { severity: 'hint' }),
      problem('b lint', { severity: 'warning', source: 'eslint', code: 'no-x', codeUrl: 'https://eslint.org/no-x' }),
    );
    editor.publish(editor.uri('src/a.ts'), problem('a two', { range: range(2, 0) }), problem('a one'));
    editor.publish(editor.uri('lib/c.ts'), problem('c', { source: undefined }));
  }

  it('sorts by severity, path and line, or by path, whatever order they came in', async () => {
    publishAll();
    assert.deepEqual(messages(await get()), ['c', 'a one', 'a two', 'b lint']);
    assert.deepEqual(messages(await get({ order: 'path' })), ['c', 'a one', 'a two', 'b lint']);
    assert.deepEqual(messages(await get({ order: 'path', severities: ['hint', 'warning'] })), ['b lint', 'b hint']);
  });

  it('counts all severities and sources, whichever are listed', async () => {
    publishAll();
    const answer = await get({ severities: ['warning'] });
    assert.deepEqual(answer.counts, { error: 3, warning: 1, information: 0, hint: 1 });
    assert.deepEqual(answer.sources, { '': 1, ts: 3, eslint: 1 });
    assert.deepEqual([answer.total, answer.complete], [1, false]);
  });

  it('counts sources of any name, those too that every object has something under', async () => {
    const { editor } = harness;
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty', '__proto__'];
    editor.publish(editor.uri('src/a.ts'), ...names.map((source, at) => problem('x', { source, range: range(at, 0) })));
    const { sources } = await get();
    assert.deepEqual(Object.entries(sources).sort(), [
      ['__proto__', 2],
      ['constructor', 1],
      ['hasOwnProperty', 1],
      ['toString', 1],
    ]);
    assert.equal(JSON.stringify(sources), '{"constructor":1,"toString":1,"__proto__":2,"hasOwnProperty":1}');
  });

  it('filters by folder, glob, source and left-out source', async () => {
    publishAll();
    assert.deepEqual(messages(await get({ folder: 'src', sources: ['TS'] })), ['a one', 'a two']);
    assert.deepEqual(messages(await get({ glob: 'lib/**' })), ['c']);
    assert.deepEqual(messages(await get({ excludeSources: ['ts', 'eslint'] })), ['c']);
    assert.deepEqual((await get({ sources: ['eslint'] })).items[0]?.codeUrl, 'https://eslint.org/no-x');
  });

  it('filters by what Git has changed, and by when it was written', async () => {
    const { editor } = harness;
    publishAll();
    editor.changed = [
      { uri: editor.uri('lib/c.ts'), status: 'modified', isStaged: false },
      { uri: editor.uri('src/gone.ts'), status: 'deleted', isStaged: false },
    ];
    assert.deepEqual(messages(await get({ modified: true })), ['c']);
    // Each is written an hour ago by its own account.
    const before = Math.ceil(Math.max(...['src/b.ts', 'lib/c.ts'].map((name) => statSync(editor.path(name)).ctimeMs)));
    editor.replace('src/a.ts', 'new', before + 1);
    const since = new Date(before + 1).toISOString();
    assert.deepEqual(messages(await get({ changedSince: since })), ['a one', 'a two']);
  });

  it('does not call clean what it did not look at', async () => {
    const { editor } = harness;
    symlinkSync('src', editor.path('link'));
    const refused = await harness.call(client, 'get_diagnostics', { folder: 'link', loadFiles: 5 });
    assert.deepEqual(
      [refused.isError, /link is a link[^]*directory itself: src\./.test(textOf(refused))],
      [true, true],
    );
    // Lists leave it out.
    editor.write('left/d.ts', '');
    assert.equal((await get({ folder: 'left', loadFiles: 5 })).complete, false);
    editor.changed = [{ uri: editor.uri('.env'), status: 'modified', isStaged: false }];
    assert.match(textOf(await harness.call(client, 'get_diagnostics', { modified: true })), /^No file was looked at\./);
  });

  it('gives only what is new since a baseline, though lines moved', async () => {
    const { editor } = harness;
    publishAll();
    const { baseline } = await get();
    editor.publish(
      editor.uri('src/a.ts'),
      problem('a one', { range: range(7, 0) }),
      problem('a one', { range: range(8, 0) }),
      problem('a new'),
    );
    const answer = await get({ newSince: baseline });
    assert.deepEqual([messages(answer), answer.total], [['a new', 'a one'], 2]);
    const old = await harness.call(client, 'get_diagnostics', { newSince: 'unknown' });
    assert.deepEqual(
      [old.isError, textOf(old)],
      [true, 'newSince: there is no baseline "unknown" any more. Leave it out to get everything and a new baseline.'],
    );
  });

  it('cuts a flood with its true total, and gives the rest by cursor, all of one state', async () => {
    const { editor } = harness;
    const many = Array.from({ length: 400 }, (_, index) => problem(`m${index}`, { range: range(index, 0) }));
    editor.publish(editor.uri('src/a.ts'), ...many);
    const first = await get();
    assert.equal(first.total, 400);
    assert.ok(JSON.stringify(first).length < 32_000);
    editor.publish(editor.uri('src/a.ts'));
    const seen = messages(first);
    for (let cursor = first.nextCursor; cursor !== undefined;) {
      const page = await get({ cursor });
      seen.push(...messages(page));
      cursor = page.nextCursor;
    }
    assert.deepEqual(
      seen,
      many.map(({ message }) => message),
    );
    const foreign = await harness.client({ id: 'other', label: 'Other' });
    const refused = await harness.call(foreign, 'get_diagnostics', { cursor: first.nextCursor ?? '' });
    assert.match(textOf(refused), /^cursor: it is unknown or too old/);
  });

  it('loads the files of a folder where that is asked for, and only then calls the folder complete', async () => {
    const { editor, clock } = harness;
    harness.search.paths.push(editor.path('src/a.ts'), editor.path('src/b.ts'), editor.path('lib/c.ts'));
    for (const name of ['src/a.ts', 'src/b.ts']) {
      editor.symbols.set(editor.uri(name), []);
      clock.after(200, () => editor.publish(editor.uri(name)));
    }
    assert.equal((await get({ folder: 'src' })).complete, false);
    for (const name of ['src/a.ts', 'src/b.ts']) {
      clock.after(200, () => editor.publish(editor.uri(name)));
    }
    const answer = await get({ folder: 'src', loadFiles: 10 });
    assert.deepEqual(
      answer.files.map(({ file, state }) => [file, state]),
      [
        ['src/a.ts', 'fresh'],
        ['src/b.ts', 'fresh'],
      ],
    );
    assert.equal(answer.complete, true);
    assert.equal((await get({ loadFiles: 1 })).complete, false);
  });

  it('does not take diagnostics of a closed file that changed since for current ones', async () => {
    const { editor, clock } = harness;
    const written = Math.ceil(statSync(editor.path('lib/c.ts')).ctimeMs);
    await clock.pass(written - clock.now());
    publishAll();
    const states = async () => (await get({ glob: 'lib/*' })).files.map(({ state }) => state);
    assert.deepEqual(await states(), ['fresh']);
    editor.write('lib/c.ts', 'new', -10_000);
    assert.deepEqual(await states(), ['stale']);
  });

  it('takes a closed file that an older one was put in place of for another one', async () => {
    const { editor, clock } = harness;
    const written = Math.ceil(statSync(editor.path('lib/c.ts')).ctimeMs);
    await clock.pass(written - clock.now());
    publishAll();
    editor.replace('lib/c.ts', 'older', written + 1, 7200);
    assert.deepEqual(
      (await get({ glob: 'lib/*' })).files.map(({ state }) => state),
      ['stale'],
    );
    const { files, complete } = await get({ files: ['lib/c.ts'] });
    assert.deepEqual([files.map(({ state }) => state), complete], [['stale'], false]);
  });

  it('names each argument that does not fit, and what the tool takes', async () => {
    const result = await harness.call(client, 'get_diagnostics', { files: 'a.ts', severity: 'error' });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /files must be array/);
    assert.match(textOf(result), /severity is not known/);
    assert.match(textOf(result), /it takes: files, folder,/);
  });

  it('as resources: read, completed, watched', async () => {
    publishAll();
    const read = async (uri: string) => {
      const { contents } = await harness.passing(client.readResource({ uri }));
      const [content] = contents;
      assert.equal(content?.mimeType, 'application/json');
      return JSON.parse(content !== undefined && 'text' in content ? content.text : '') as {
        items: { message: string }[];
      };
    };
    assert.deepEqual(messages(await read('diagnostics://workspace')), ['c', 'a one', 'a two', 'b lint']);
    assert.deepEqual(messages(await read('diagnostics://severity/hint')), ['b hint']);
    assert.deepEqual(messages(await read('diagnostics://folder/lib')), ['c']);
    assert.deepEqual(messages(await read('diagnostics://file/src%2Fb.ts')), ['b lint']);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'diagnostics://severity/{severity}' },
      argument: { name: 'severity', value: 'in' },
    });
    assert.deepEqual(
      completion.values,
      ['information', 'hint', 'warning'].filter((value) => completion.values.includes(value)),
    );
    assert.equal(completion.values[0], 'information');
    let told = 0;
    const { watched } = harness.server;
    const who = { id: 'agent', label: 'Agent' };
    const watching = await watched.watch('diagnostics://file/src/a.ts', who, () => (told += 1));
    const before = await watched.fingerprint?.('diagnostics://file/src/a.ts', who);
    harness.editor.publish(harness.editor.uri('lib/c.ts'));
    assert.equal(told, 0);
    harness.editor.publish(harness.editor.uri('src/a.ts'));
    assert.equal(told, 1);
    assert.notEqual(await watched.fingerprint?.('diagnostics://file/src/a.ts', who), before);
    watching.dispose();
    harness.editor.publish(harness.editor.uri('src/a.ts'));
    assert.equal(told, 1);
    await assert.rejects(watched.watch('diagnostics://file/none.ts', who, () => undefined));
  });
});
