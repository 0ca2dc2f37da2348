import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import type {
  CodeActionInfo,
  DiffVerdict,
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
        /^edits\.0\.line: the range is not in the text, which has 4 lines/,
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
    assert.match(textOf(result), /A file changed while the person was asked/);
    assert.equal(text(), 'typed\n');
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
      /^apply_edit is off\. The person can turn on the "edit" tools/,
    );
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
      [],
    );
    assert.equal(harness.editor.asked.length, 0);
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
  });
});
