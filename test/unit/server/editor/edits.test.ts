import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import type {
  CodeActionInfo,
  DiffVerdict,
  EditorEdit,
  EditorTaskInfo,
  EditorTaskRun,
} from '../../../../src/server/editor/editorTypes';
import { problem, range } from './fakeEditor';
import { EditorHarness, textOf } from './editorHarness';

describe('edits and tasks', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    harness.editor.write('a.ts', 'one\ntwo\ntwo\n');
  });
  afterEach(() => harness.dispose());

  const call = (name: string, args: Record<string, unknown>) => harness.call(client, name, args);
  const stateOf = (result: { structuredContent?: unknown }) =>
    result.structuredContent as { state: string; handle?: string; newProblems?: { message: string }[] };
  const text = (): string | undefined => harness.editor.open.get(harness.editor.uri('a.ts'))?.text();

  it('applies an edit that the person confirmed, and tells the problems that it brought', async () => {
    const { editor } = harness;
    const document = editor.openFile('a.ts');
    editor.publish(document.uri, problem('old'));
    const { apply } = editor.edits;
    editor.edits.apply = async (edit, label) => {
      harness.clock.after(300, () => editor.publish(document.uri, problem('old'), problem('new')));
      return apply(edit, label);
    };
    const result = await call('apply_edit', { file: 'a.ts', edits: [{ find: 'one', text: 'uno' }] });
    assert.equal(text(), 'uno\ntwo\ntwo\n');
    assert.deepEqual(
      [stateOf(result).state, stateOf(result).newProblems?.map(({ message }) => message)],
      ['applied', ['new']],
    );
    assert.match(textOf(result), /^Changed a\.ts, lines 1 \(not saved\)\nNew problems:\na\.ts:1:1 error new/);
    assert.deepEqual(
      editor.asked.map(({ kind, title }) => [kind, title]),
      [['edit', 'Edit a.ts']],
    );
  });

  it('changes nothing where the text, the version or the range is not what was expected', async () => {
    const document = harness.editor.openFile('a.ts');
    const refused: readonly [Record<string, unknown>, RegExp][] = [
      [{ edits: [{ find: 'two', text: '' }] }, /^edits\.0\.find: it stands there more than once/],
      [{ edits: [{ find: 'three', text: '' }] }, /^edits\.0\.find: it does not stand/],
      [{ version: 7, edits: [{ line: 1, text: '' }] }, /^version: a\.ts is at version 1 now/],
      [{ edits: [{ line: 1, text: '' }] }, /^edits\.0\.expected: a range needs/],
      [{ edits: [{ line: 1, expected: 'two', text: '' }] }, /^edits\.0\.expected: there stands "one"/],
      [
        { version: 1, edits: [{ line: 40, text: '' }] },
        /^edits\.0\.line: the range is not in the text, which has 3 lines/,
      ],
      [
        {
          version: 1,
          edits: [
            { line: 1, endLine: 2, text: '' },
            { line: 2, text: '' },
          ],
        },
        /two of them overlap at line 2/,
      ],
      [{ edits: [{ line: 1 }] }, /edits\.0\.text is missing/],
    ];
    for (const [args, reason] of refused) {
      const result = await call('apply_edit', { file: 'a.ts', ...args });
      assert.equal(result.isError, true);
      assert.match(textOf(result), reason);
    }
    assert.deepEqual([document.version, harness.editor.asked.length], [1, 0]);
  });

  it('works on unsaved text, and refuses where the person types while they are asked', async () => {
    const { editor } = harness;
    const document = editor.openFile('a.ts');
    editor.edit(document, 'unsaved\n');
    await call('apply_edit', { file: 'a.ts', edits: [{ line: 1, expected: 'unsaved', text: 'changed' }] });
    assert.equal(text(), 'changed\n');
    editor.answerConfirm = async () => {
      editor.edit(document, 'typed\n');
      return true;
    };
    const result = await call('apply_edit', { file: 'a.ts', edits: [{ find: 'changed', text: 'lost' }] });
    assert.match(textOf(result), /A file changed since the edit was made for it/);
    assert.equal(text(), 'typed\n');
  });

  it('refuses ranges of a text that is another one by now, before the person is asked', async () => {
    const { editor } = harness;
    const document = editor.openFile('a.ts');
    const { uri } = document;
    const edit = { edits: [{ uri, replacements: [{ range: range(0, 0, 0, 3), text: 'uno' }] }], files: [] };
    const typed = <T>(result: T): T => {
      editor.edit(document, `zero\n${document.text()}`);
      return result;
    };
    editor.language.rename = async () => typed(edit);
    editor.language.format = async () => typed(edit.edits[0]?.replacements);
    const action = { id: '1', title: 'Fix', kind: 'quickfix', isPreferred: false, disabled: undefined, edit };
    editor.language.codeActions = async () => typed([action]);
    const { passing } = harness.files;
    const calls = [
      ['rename', { file: 'a.ts', line: 1, column: 1, newName: 'uno' }],
      ['format', { file: 'a.ts' }],
      ['apply_code_action', { file: 'a.ts', line: 1, title: 'Fix' }],
      ['apply_edit', { file: 'a.ts', edits: [{ find: 'one', text: 'uno' }] }],
    ] as const;
    for (const [index, [name, args]] of calls.entries()) {
      harness.files.passing =
        name === 'apply_edit' ? async (each) => typed(passing.call(harness.files, each)) : passing;
      assert.match(textOf(await call(name, args)), /A file changed since the edit was made for it/, name);
      assert.equal(text(), `${'zero\n'.repeat(index + 1)}one\ntwo\ntwo\n`);
    }
    assert.equal(editor.asked.length, 0);
  });

  it('refuses to change a file that is not open and was written while the person was asked', async () => {
    const { editor } = harness;
    editor.write('b.ts', 'one\n');
    const a = editor.openFile('a.ts').uri;
    const b = editor.uri('b.ts');
    const replacements = [{ range: range(0, 0, 0, 3), text: 'uno' }];
    editor.renaming = { edits: [a, b].map((uri) => ({ uri, replacements })), files: [] };
    const args = { file: 'a.ts', line: 1, column: 1, newName: 'uno' };
    editor.answerConfirm = async () => {
      editor.write('b.ts', 'zero\none\n');
      return true;
    };
    assert.match(textOf(await call('rename', args)), /A file changed since/);
    assert.equal(text(), 'one\ntwo\ntwo\n');
    // To be shown, it is opened.
    editor.answerConfirm = async () => editor.openFile('b.ts') !== undefined;
    assert.equal(stateOf(await call('rename', args)).state, 'applied');
    assert.equal(text(), 'uno\ntwo\ntwo\n');
  });

  it('fault 65: puts nothing into what has taken the place of a file while the person looked', async () => {
    const { editor } = harness;
    const outside = join(editor.root, 'outside.ts');
    writeFileSync(outside, 'outside');
    const replaced = async (put: () => void): Promise<string> => {
      editor.write('a.ts', 'one');
      const document = editor.openFile('a.ts');
      editor.answerDiff = async () => {
        rmSync(editor.path('a.ts'));
        put();
        return { verdict: 'accepted', text: 'proposed' };
      };
      const result = await call('show_diff', { file: 'a.ts', text: 'proposed' });
      assert.equal(document.text(), 'one');
      rmSync(editor.path('a.ts'), { force: true });
      return textOf(result);
    };
    assert.match(
      await replaced(() => symlinkSync(outside, editor.path('a.ts'))),
      /outside the workspace or on the list/,
    );
    assert.match(await replaced(() => undefined), /A file changed since/);
  });

  it('keeps characters whole', async () => {
    const { editor } = harness;
    editor.write('a.ts', 'x😀y\n');
    const document = editor.openFile('a.ts');
    const within = /middle of a character/;
    const half = /text: it has half of a character/;
    const refused: readonly [string, Record<string, unknown>, RegExp][] = [
      ['apply_edit', { edits: [{ find: '\ude00', text: 'z' }] }, within],
      ['apply_edit', { version: 1, edits: [{ line: 1, column: 3, text: 'z' }] }, within],
      ['apply_edit', { version: 1, edits: [{ line: 1, endColumn: 3, text: 'z' }] }, within],
      ['apply_edit', { edits: [{ find: 'x', text: '\ud83d' }] }, half],
      ['show_diff', { text: '\ude00' }, half],
    ];
    for (const [name, args, message] of refused) {
      assert.match(textOf(await call(name, { file: 'a.ts', ...args })), message);
    }
    assert.deepEqual([document.version, editor.asked.length], [1, 0]);
    await call('apply_edit', { file: 'a.ts', edits: [{ find: '😀', text: '🙂' }] });
    assert.equal(text(), 'x🙂y\n');
  });

  it('looks at a long text once, however many edits there are', async () => {
    const { editor } = harness;
    editor.write('a.ts', Array.from({ length: 2_000 }, (_, index) => `line ${index}.\r\n`).join(''));
    const document = editor.openFile('a.ts');
    const read = document.text.bind(document);
    let looks = 0;
    document.text = (...args) => {
      looks += 1;
      return read(...args);
    };
    const looksFor = async (edits: readonly object[]): Promise<number> => {
      looks = 0;
      const result = await call('apply_edit', { file: 'a.ts', version: document.version, edits });
      assert.equal(stateOf(result).state, 'applied', textOf(result));
      return looks;
    };
    const edits = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0
        ? { find: `line ${index}.`, text: `found ${index}` }
        : { line: index + 1, expected: `line ${index}.`, text: `put ${index}` },
    );
    assert.equal(await looksFor([{ find: 'line 1999.', text: 'last' }]), 2);
    // By now it has unsaved text, and is not held against the disk.
    assert.equal(await looksFor(edits), 1);
    assert.match(read(), /^found 0\r?\nput 1\r?\nfound 2\r?\n/);
  });

  it('does not apply what the person refused', async () => {
    harness.editor.answerConfirm = async () => false;
    const result = await call('apply_edit', { file: 'a.ts', edits: [{ find: 'one', text: 'uno' }] });
    assert.deepEqual([stateOf(result).state, text()], ['refused', 'one\ntwo\ntwo\n']);
  });

  it('is off unless turned on, and refused without trust', async () => {
    const args = { file: 'a.ts', edits: [{ find: 'one', text: 'uno' }] };
    harness.editor.trusted.value = false;
    assert.match(textOf(await call('apply_edit', args)), /The workspace is not trusted, so apply_edit is refused/);
    harness.editor.settings.value = { ...harness.editor.settings.value, groups: new Set() };
    assert.match(
      textOf(await call('apply_edit', args)),
      /^apply_edit is off\. .* by the setting portico\.agents\.editTools\.$/,
    );
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
      [],
    );
    assert.equal(harness.editor.asked.length, 0);
  });

  it('tells a rename that nobody does as an error, not as one of no places', async () => {
    const { editor } = harness;
    editor.openFile('a.ts');
    editor.language.rename = async () => ({ edits: [], files: [] });
    for (const name of ['rename_preview', 'rename']) {
      const result = await call(name, { file: 'a.ts', line: 1, column: 1, newName: 'n'.repeat(900) });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /^one cannot be renamed: no language extension here does it, or "n{200}…" is no/);
    }
    assert.equal(editor.asked.length, 0);
  });

  it('counts the lines of a text in one way, however it is asked', async () => {
    harness.editor.openFile('a.ts');
    const place = { file: 'a.ts', line: 5 };
    const edits = [{ line: 5, expected: '', text: 'x' }];
    for (const [name, args] of [
      ['definition', place],
      ['code_actions', place],
      ['apply_edit', { file: 'a.ts', edits }],
    ] as const) {
      assert.match(textOf(await call(name, args)), /has 3 lines\.$/, name);
    }
    assert.match(textOf(await call('definition', { file: 'a.ts', line: 4 })), /has 3 lines\.$/);
  });

  it('renames as previewed, but never outside the workspace', async () => {
    const { editor } = harness;
    const uri = editor.openFile('a.ts').uri;
    editor.renaming = { edits: [{ uri, replacements: [{ range: range(0, 0, 0, 3), text: 'uno' }] }], files: [] };
    const args = { file: 'a.ts', line: 1, column: 1, newName: 'uno' };
    assert.equal(
      textOf(await call('rename_preview', args)),
      'Renaming one to uno changes 1 places in 1 files:\na.ts:1:1 one',
    );
    assert.equal(text(), 'one\ntwo\ntwo\n');
    await call('rename', args);
    assert.equal(text(), 'uno\ntwo\ntwo\n');
    editor.renaming = {
      edits: [{ uri: 'file:///etc/hosts', replacements: [{ range: range(0, 0), text: '' }] }],
      files: [],
    };
    assert.match(textOf(await call('rename', { ...args, line: 2 })), /outside the workspace/);
  });

  it('lists and applies quick fixes by title', async () => {
    const { editor } = harness;
    const uri = editor.openFile('a.ts').uri;
    const action: CodeActionInfo = {
      id: '1',
      title: 'Translate',
      kind: 'quickfix',
      isPreferred: true,
      disabled: undefined,
      edit: { edits: [{ uri, replacements: [{ range: range(0, 0, 0, 3), text: 'eins' }] }], files: [] },
    };
    editor.actions = [action, { ...action, id: '2', title: 'Not now', disabled: 'no reason' }];
    assert.equal(
      textOf(await call('code_actions', { file: 'a.ts', line: 1 })),
      'Translate [quickfix] (preferred)\nNot now [quickfix] (preferred) (not now: no reason)',
    );
    assert.match(
      textOf(await call('apply_code_action', { file: 'a.ts', line: 1, title: 'Other' })),
      /there are: Translate, Not now/,
    );
    await call('apply_code_action', { file: 'a.ts', line: 1, title: 'Translate' });
    assert.equal(text(), 'eins\ntwo\ntwo\n');
  });

  it('never waits for a person longer than clients do: a handle gives the result later', async () => {
    const { editor } = harness;
    let decide = (_verdict: DiffVerdict): void => undefined;
    editor.answerDiff = () => new Promise((resolve) => (decide = resolve));
    const waiting = await call('show_diff', { file: 'a.ts', text: 'proposed\n' });
    const { state, handle } = stateOf(waiting);
    assert.equal(state, 'waiting');
    assert.ok(harness.clock.now() <= 45_000);
    assert.equal(stateOf(await call('get_result', { handle, waitMs: 100 })).state, 'waiting');
    decide({ verdict: 'accepted', text: 'proposed and edited\n' });
    assert.equal(stateOf(await call('get_result', { handle })).state, 'applied');
    assert.equal(text(), 'proposed and edited\n');
    assert.match(textOf(await call('get_result', { handle })), /^handle: .* is unknown, or was answered before/);
  });

  it('runs a task that the person agreed to, and tells of it while it runs and when it ended', async () => {
    const { editor } = harness;
    const task: EditorTaskInfo = { id: 't1', name: 'test', source: 'npm', group: 'test', detail: '' };
    const state = signal<ReturnType<EditorTaskRun['state']['peek']>>({ kind: 'running' });
    assert.match(textOf(await call('run_task', { task: 'lint' })), /of this name\. The workspace has no tasks\.$/);
    editor.taskList = [{ ...task, id: 't0', name: 'other', group: 'other' }, task];
    editor.runs = [{ id: 'r1', task, state, output: () => ({ text: 'a line\n', cut: false }), stop: () => undefined }];
    assert.equal(textOf(await call('list_tasks', {})), 'test [test, npm] id t1\nother [other, npm] id t0');
    assert.match(textOf(await call('run_task', { task: 'lint' })), /there is none of this name\. test \(id t1\)/);
    const started = await call('run_task', { task: 'test', waitMs: 500 });
    assert.deepEqual(started.structuredContent, { state: 'running', run: 'r1', task: 'test', output: 'a line\n' });
    state.value = { kind: 'ended', exitCode: 2 };
    const ended = await call('get_task_run', { run: 'r1' });
    assert.equal(textOf(ended), 'test ended with exit code 2.\na line\n');
    const other = await harness.client({ id: 'other', label: 'Other' });
    assert.equal((await harness.call(other, 'get_task_run', { run: 'r1' })).isError, true);
    assert.equal((await harness.call(other, 'stop_task', { run: 'r1' })).isError, true);
  });

  it('stops a task that it started', async () => {
    const { editor } = harness;
    const task: EditorTaskInfo = { id: 't1', name: 'watch', source: 'npm', group: 'build', detail: '' };
    const state = signal<ReturnType<EditorTaskRun['state']['peek']>>({ kind: 'running' });
    let stopped = 0;
    const stop = (): void => {
      stopped += 1;
      state.value = { kind: 'ended', exitCode: undefined };
    };
    editor.taskList = [task];
    editor.runs = [{ id: 'r1', task, state, output: () => undefined, stop }];
    await call('run_task', { task: 'watch', waitMs: 0 });
    const ended = await call('stop_task', { run: 'r1' });
    assert.deepEqual(ended.structuredContent, { state: 'ended', run: 'r1', task: 'watch' });
    assert.match(textOf(ended), /ended with exit code unknown\. The editor does not tell its output\./);
    await call('stop_task', { run: 'r1' });
    assert.equal(stopped, 1);
  });

  it('makes a file that the person confirmed, in the workspace only', async () => {
    const { editor } = harness;
    const edits: EditorEdit[] = [];
    editor.edits.apply = async (edit) => {
      edits.push(edit);
      editor.write('docs/new.md', 'new\n');
      return true;
    };
    const result = await call('apply_edit', { file: 'docs/new.md', newFile: 'new\n' });
    assert.equal(result.isError ? textOf(result) : stateOf(result).state, 'applied');
    const start = { line: 0, character: 0 };
    const uri = editor.uri('docs/new.md');
    assert.deepEqual(edits, [
      {
        edits: [{ uri, replacements: [{ range: { start, end: start }, text: 'new\n' }] }],
        files: [{ kind: 'create', uri }],
      },
    ]);
    assert.deepEqual(
      editor.asked.map(({ title }) => title),
      ['Create docs/new.md'],
    );
    const refused: readonly [Record<string, unknown>, RegExp][] = [
      [{ file: 'a.ts', newFile: '' }, /^newFile: a\.ts is there already\. Give edits instead\./],
      [{ file: 'b.ts', newFile: '', edits: [{ find: 'x', text: 'y' }] }, /^newFile: give it or edits, not both\./],
      [{ file: 'b.ts' }, /^edits: give them, or newFile\./],
      [{ file: '../b.ts', newFile: '' }, /./],
      [{ file: '.env', newFile: '' }, /./],
    ];
    for (const [args, message] of refused) {
      const { isError, content } = await call('apply_edit', args);
      assert.equal(isError, true, JSON.stringify(args));
      assert.match(textOf({ content }), message);
    }
    assert.equal(edits.length, 1);
  });

  it('makes no file below a linked folder that leads out of the workspace', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'ptest-'));
    try {
      symlinkSync(outside, join(harness.editor.root, 'ws', 'linked'), 'junction');
      const { isError } = await call('apply_edit', { file: 'linked/new.md', newFile: 'x' });
      assert.deepEqual([isError, harness.editor.asked.length], [true, 0]);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });
});
