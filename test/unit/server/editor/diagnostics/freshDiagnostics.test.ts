import assert from 'node:assert/strict';
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { problem, range } from '../fakeEditor';
import { EditorHarness, textOf } from '../editorHarness';

interface Answer {
  readonly complete: boolean;
  readonly total: number;
  readonly counts: Record<string, number>;
  readonly sources: Record<string, number>;
  readonly files: readonly {
    file: string;
    state: string;
    reason?: string;
    dirty: boolean;
    waitedMs: number;
    documentVersion?: number;
  }[];
  readonly items: readonly { message: string; line: number; column: number; sourceLine?: string; pastEnd?: true }[];
}

describe('diagnostics that can be trusted', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    harness.editor.write('a.ts', 'let x = 1;\nlet y = z;\n');
  });
  afterEach(() => harness.dispose());

  async function get(args: Record<string, unknown> = { files: ['a.ts'] }): Promise<{ answer: Answer; text: string }> {
    const result = await harness.call(client, 'get_diagnostics', args);
    assert.notEqual(result.isError, true, textOf(result));
    return { answer: result.structuredContent as unknown as Answer, text: textOf(result) };
  }

  it('fault 62: a file that nobody analysed is not clean', async () => {
    const { answer, text } = await get();
    assert.equal(answer.complete, false);
    assert.deepEqual(
      answer.files.map(({ state, reason }) => [state, reason]),
      [
        [
          'notAnalyzed',
          'Nothing was said of this file: it may need to be open in the editor, or no language extension looks after it.',
        ],
      ],
    );
    assert.match(text, /^No problems are known, but there may be some\./);
  });

  it('fault 62: empty reports alone, of whom nobody knows, are no analysis', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    const state = async (args?: Record<string, unknown>): Promise<readonly unknown[]> => {
      const { answer, text } = await get(args);
      return [answer.files[0]?.state, answer.complete, /^No problems\./.test(text)];
    };
    const unknown = ['notAnalyzed', false, false];
    editor.publish(document.uri);
    clock.after(300, () => editor.publish(document.uri));
    assert.deepEqual(await state(), unknown);
    await clock.pass(100_000);
    assert.deepEqual(await state(), unknown);
    editor.edit(document, 'other');
    clock.after(100, () => editor.publish(document.uri));
    assert.deepEqual(await state(), unknown);
    editor.edit(document, 'again');
    assert.deepEqual(await state(), unknown);
    // In a file of another language somebody finds a problem.
    editor.write('a.md', '');
    const other = editor.openFile('a.md');
    other.languageId = 'markdown';
    editor.publish(other.uri, problem('x'));
    assert.deepEqual(await state(), unknown);
    editor.write('b.ts', '');
    editor.publish(editor.openFile('b.ts').uri, problem('x'));
    assert.deepEqual(await state(), ['fresh', true, true]);
  });

  it('fault 62: an empty report is an analysis where an extension gives symbols of the file, if only after a while', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    editor.publish(document.uri);
    clock.after(300, () => editor.symbols.set(document.uri, []));
    const { answer, text } = await get();
    assert.deepEqual([answer.files[0]?.state, answer.complete], ['fresh', true]);
    assert.match(text, /^No problems\./);
  });

  it('fault 62: long silence is no analysis while it is not known whether anybody looks after the file', async () => {
    const { editor, clock } = harness;
    editor.openFile('a.ts');
    editor.language.documentSymbols = () => new Promise(() => undefined);
    await clock.pass(100_000);
    assert.deepEqual((await get()).answer.files[0]?.state, 'timedOut');
  });

  it('fault 62: an unopened file is loaded, and its problems awaited until they settle', async () => {
    const { editor, clock } = harness;
    const uri = editor.uri('a.ts');
    editor.symbols.set(uri, []);
    clock.after(600, () => editor.publish(uri, problem('first')));
    clock.after(900, () => editor.publish(uri, problem('first'), problem('second', { range: range(1, 8) })));
    const { answer, text } = await get();
    assert.equal(answer.complete, true);
    assert.deepEqual(
      answer.items.map(({ message, line, column, sourceLine }) => [message, line, column, sourceLine]),
      [
        ['first', 1, 1, 'let x = 1;'],
        ['second', 2, 9, 'let y = z;'],
      ],
    );
    assert.equal(answer.files[0]?.state, 'fresh');
    assert.ok((answer.files[0]?.waitedMs ?? 0) > 800);
    assert.match(text, /^2 problems\.[^]*a\.ts:2:9 error second \[ts\]/);
    assert.equal(editor.open.get(uri)?.isDirty, false);
  });

  it('fault 62: while the editor has an older text than the disk, its diagnostics are stale', async () => {
    const { editor } = harness;
    const document = editor.openFile('a.ts');
    editor.symbols.set(document.uri, []);
    editor.publish(document.uri, problem('old'));
    await harness.clock.pass(2_000);
    assert.equal((await get()).answer.files[0]?.state, 'fresh');
    editor.write('a.ts', 'fine\n', 0);
    const { answer, text } = await get();
    assert.deepEqual([answer.files[0]?.state, answer.complete], ['stale', false]);
    assert.match(text, /changed on disk and the editor still has its older text/);
    assert.ok((answer.files[0]?.waitedMs ?? 0) >= 5_000);
  });

  it('fault 62: a text of the same size and time on disk is another text all the same', async () => {
    const { editor } = harness;
    const document = editor.openFile('a.ts');
    editor.symbols.set(document.uri, []);
    editor.publish(document.uri);
    await harness.clock.pass(2_000);
    assert.equal((await get()).answer.files[0]?.state, 'fresh');
    const { size, atime, mtime, ctimeMs } = statSync(editor.path('a.ts'));
    do {
      writeFileSync(editor.path('a.ts'), '('.repeat(size));
      utimesSync(editor.path('a.ts'), atime, mtime);
    } while (statSync(editor.path('a.ts')).ctimeMs === ctimeMs);
    const { answer } = await get();
    assert.deepEqual([answer.files[0]?.state, answer.complete], ['stale', false]);
  });

  it('fault 62: once the editor has reloaded, the new analysis is awaited', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    editor.symbols.set(document.uri, []);
    editor.publish(document.uri, problem('old'));
    await clock.pass(2_000);
    editor.write('a.ts', 'fine\n', 0);
    clock.after(500, () => editor.reload(document));
    clock.after(1_100, () => editor.publish(document.uri));
    const { answer, text } = await get();
    assert.deepEqual([answer.files[0]?.state, answer.files[0]?.documentVersion, answer.total], ['fresh', 2, 0]);
    assert.match(text, /^No problems\./);
  });

  it('fault 62: unsaved text counts, and is said to be unsaved', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    editor.publish(document.uri);
    await clock.pass(1_000);
    editor.edit(document, 'broken');
    clock.after(300, () => editor.publish(document.uri, problem('of the unsaved text')));
    const { answer } = await get();
    assert.deepEqual([answer.files[0]?.state, answer.files[0]?.dirty], ['fresh', true]);
    assert.deepEqual(
      answer.items.map(({ message }) => message),
      ['of the unsaved text'],
    );
  });

  it('fault 62: a deleted file is an error, whatever the editor still has of it', async () => {
    const document = harness.editor.openFile('a.ts');
    harness.editor.publish(document.uri, problem('old'));
    rmSync(harness.editor.path('a.ts'));
    const result = await harness.call(client, 'get_diagnostics', { files: ['a.ts'] });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /There is no "?a\.ts/);
  });

  it('does not call old problems current where a changed text is not analysed again', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    editor.publish(document.uri, problem('old'));
    await clock.pass(1_000);
    editor.edit(document, 'other');
    const { answer } = await get({ files: ['a.ts'], timeoutMs: 2_000 });
    assert.deepEqual([answer.files[0]?.state], ['stale']);
  });

  it('answers at once where analysis was over before the question', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    editor.publish(document.uri, problem('old'));
    editor.publish(document.uri);
    await clock.pass(3_000);
    const { answer } = await get({ files: ['a.ts'], timeoutMs: 0 });
    assert.deepEqual([answer.files[0]?.state, answer.complete], ['fresh', true]);
  });

  it('waits as long as the language has taken before', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    clock.after(2_500, () => editor.publish(document.uri, problem('slow')));
    await clock.pass(4_000);
    editor.edit(document, 'again');
    // A quick report of another extension is not the end.
    clock.after(100, () => editor.publish(document.uri));
    clock.after(2_400, () => editor.publish(document.uri, problem('slow again')));
    const { answer } = await get();
    assert.deepEqual(
      answer.items.map(({ message }) => message),
      ['slow again'],
    );
    assert.equal(answer.files[0]?.state, 'fresh');
  });

  it('reports a time-out where reports do not come to an end, and where the document does not load', async () => {
    const { editor, clock } = harness;
    const document = editor.openFile('a.ts');
    for (let at = 100; at < 3_000; at += 200) {
      clock.after(at, () => editor.publish(document.uri));
    }
    assert.equal((await get({ files: ['a.ts'], timeoutMs: 2_000 })).answer.files[0]?.state, 'timedOut');
    editor.write('b.ts', '');
    editor.loads = 'hangs';
    const { answer } = await get({ files: ['b.ts'] });
    assert.deepEqual([answer.files[0]?.state], ['timedOut']);
    editor.loads = new Error('binary');
    assert.match((await get({ files: ['b.ts'] })).answer.files[0]?.reason ?? '', /cannot open it: binary/);
  });

  it('is an error for a foreign, secret or malformed name, never an empty answer', async () => {
    harness.editor.write('.env', 'A=1');
    harness.editor.write('../elsewhere/x.ts', '');
    for (const file of [
      'file:///etc/passwd',
      '../elsewhere/x.ts',
      '.env',
      'nothing.ts',
      'git:/a.ts',
      'file:///%zz',
      '',
    ]) {
      const result = await harness.call(client, 'get_diagnostics', { files: [file] });
      assert.equal(result.isError, true, file);
      await assert.rejects(
        client.readResource({ uri: `diagnostics://file/${file}` }),
        (error: Error & { code?: number }) => error.code === -32_602,
        file,
      );
    }
  });

  it('knows a file by any spelling of its URI, and tells of it by one', async () => {
    harness.editor.write('a b#1.ts', 'x');
    const odd = harness.editor.uri('a b#1.ts').replace('%23', '#').replace('%20', ' ');
    harness.editor.publish(harness.editor.uri('a b#1.ts'), problem('one'));
    harness.editor.publish(odd, problem('one'), problem('one'));
    const { answer } = await get({ glob: '*1.ts' });
    assert.deepEqual([answer.total, answer.counts], [1, { error: 1, warning: 0, information: 0, hint: 0 }]);
    for (const name of [odd, harness.editor.path('a b#1.ts'), 'a b#1.ts']) {
      assert.equal((await get({ files: [name] })).answer.items.length, 1);
    }
  });

  it('leaves out what is not of the workspace, secret, or of a hidden source', async () => {
    const { editor } = harness;
    editor.settings.value = { ...editor.settings.value, hiddenSources: ['cSpell'] };
    for (const uri of ['git:/ws/a.ts', 'output:x', editor.uri('.env'), 'file:///elsewhere/b.ts']) {
      editor.publish(uri, problem('not told'));
    }
    editor.publish(editor.uri('a.ts'), problem('told'), problem('spelling', { source: 'cspell' }));
    const { answer } = await get({});
    assert.deepEqual(
      answer.items.map(({ message }) => message),
      ['told'],
    );
  });

  it('marks what lies past the end of the text', async () => {
    harness.editor.publish(harness.editor.uri('a.ts'), problem('gone', { range: range(40, 0) }));
    const { answer, text } = await get({});
    assert.deepEqual(
      answer.items.map(({ pastEnd }) => pastEnd),
      [true],
    );
    assert.match(text, /a\.ts:41:1 error gone \[ts\] \(past the end/);
  });
});
