import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { wholeScope } from '../../../../src/server/editor/offerCatalog';
import { problem, range } from './fakeEditor';
import { agent, EditorHarness, textOf } from './editorHarness';

describe('the editor server', () => {
  let harness: EditorHarness;
  let client: Client;

  beforeEach(async () => {
    harness = new EditorHarness();
    client = await harness.client();
    harness.editor.write('a.ts', 'one\ntwo\n');
  });
  afterEach(() => harness.dispose());

  async function json(uri: string): Promise<Record<string, unknown>> {
    const { contents } = await harness.passing(client.readResource({ uri }));
    const [content] = contents;
    return JSON.parse(content !== undefined && 'text' in content ? content.text : '') as Record<string, unknown>;
  }

  it('lists its tools always in the same order, with names, schemas and honest annotations', async () => {
    const { tools } = await client.listTools();
    const again = await (await harness.client()).listTools();
    assert.deepEqual(
      again.tools.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    const order = tools.map(({ annotations }) => annotations?.readOnlyHint === true);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => Number(b) - Number(a)),
    );
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      assert.match(name, /^[a-z0-9_]{1,48}$/);
      assert.equal(inputSchema['additionalProperties'], false);
      assert.equal(outputSchema?.['type'], 'object');
      assert.equal(annotations?.openWorldHint, false);
      assert.ok((description ?? '').length > 20, name);
    }
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    assert.deepEqual(changing, [
      'apply_code_action',
      'rename',
      'apply_edit',
      'format',
      'show_diff',
      'run_task',
      'stop_task',
    ]);
  });

  it('offers what it has as resources, each template with a tool that gives the same', async () => {
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['diagnostics://workspace', 'editor://active', 'editor://selection', 'editor://open', 'git://changes'],
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      [
        'diagnostics://file/{+path}',
        'diagnostics://folder/{+path}',
        'diagnostics://severity/{severity}',
        'symbols://file/{+path}',
      ],
    );
  });

  it('answers an unknown resource, tool, prompt or template with an error, never with nothing', async () => {
    for (const uri of ['editor://nothing', 'diagnostics://severity/fatal', 'http://x/', 'nonsense', 'git://log']) {
      await assert.rejects(client.readResource({ uri }), { code: -32_602 }, uri);
    }
    await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), { code: -32_602 });
    await assert.rejects(client.getPrompt({ name: 'nothing' }), { code: -32_602 });
    await assert.rejects(client.getPrompt({ name: 'fix_problems' }), { code: -32_602 });
    await assert.rejects(
      client.complete({ ref: { type: 'ref/resource', uri: 'x://{y}' }, argument: { name: 'y', value: '' } }),
      { code: -32_602 },
    );
  });

  it('gives the active editor and the selection, unsaved text included', async () => {
    const { editor } = harness;
    const document = editor.openFile('a.ts');
    editor.edit(document, 'unsaved\ntwo\n');
    editor.active.value = {
      uri: document.uri,
      languageId: 'typescript',
      selections: [range(0, 0, 0, 7)],
      visible: undefined,
    };
    editor.editors.value = [
      { uri: document.uri, label: 'a.ts', isActive: true, isDirty: true },
      { uri: editor.uri('.env'), label: '.env', isActive: false, isDirty: false },
    ];
    assert.deepEqual(await json('editor://active'), {
      file: 'a.ts',
      uri: document.uri,
      languageId: 'typescript',
      version: 2,
      dirty: true,
      cursor: { line: 1, column: 8 },
    });
    assert.deepEqual((await json('editor://selection'))['selections'], [
      { line: 1, column: 1, endLine: 1, endColumn: 8, text: 'unsaved' },
    ]);
    const open = await json('editor://open');
    assert.deepEqual([(open['editors'] as unknown[]).length, open['withheld']], [1, 1]);
    assert.equal(
      textOf(await harness.call(client, 'active_context')),
      'Active: a.ts (not saved)\nSelected 1:1-1:8:\nunsaved\nOpen: a.ts (not saved)',
    );
  });

  it('withholds a secret file in the active editor and its selection', async () => {
    const { editor } = harness;
    editor.write('.env', 'KEY=1');
    const document = editor.openFile('.env');
    editor.active.value = {
      uri: document.uri,
      languageId: 'dotenv',
      selections: [range(0, 0, 0, 5)],
      visible: undefined,
    };
    for (const uri of ['editor://active', 'editor://selection']) {
      assert.deepEqual(Object.keys(await json(uri)), ['withheld']);
    }
    assert.doesNotMatch(JSON.stringify(await harness.call(client, 'active_context')), /KEY=1|\.env/);
    await assert.rejects(client.getPrompt({ name: 'explain_selection' }), /list of secret files/);
  });

  it('tells a watcher of a view once it changes', async () => {
    let told = 0;
    const watching = await harness.server.watched.watch('editor://selection', agent, () => (told += 1));
    const before = await harness.server.watched.fingerprint?.('editor://selection', agent);
    assert.equal(told, 0);
    const uri = harness.editor.openFile('a.ts').uri;
    harness.editor.active.value = { uri, languageId: 'x', selections: [range(0, 1, 0, 1)], visible: undefined };
    assert.equal(told, 1);
    assert.notEqual(await harness.server.watched.fingerprint?.('editor://selection', agent), before);
    watching.dispose();
  });

  it('gives the diff of files that may be given, and counts the others', async () => {
    const { editor } = harness;
    editor.changed = [
      { uri: editor.uri('a.ts'), status: 'modified', isStaged: false },
      { uri: editor.uri('.env'), status: 'modified', isStaged: true },
    ];
    const section = (name: string, line: string): string =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+${line}\n`;
    editor.patch = section('a.ts', 'fine') + section('.env', 'KEY=1');
    const result = await harness.call(client, 'git_changes', { diff: true });
    assert.deepEqual(result.structuredContent, {
      total: 1,
      changes: [{ file: 'a.ts', uri: editor.uri('a.ts'), status: 'modified', staged: false }],
      diff: section('a.ts', 'fine'),
      leftOut: 1,
    });
    const { messages } = await client.getPrompt({ name: 'review_changes' });
    assert.match(JSON.stringify(messages), /\+fine/);
    assert.doesNotMatch(JSON.stringify(messages), /KEY=1/);
    editor.changed = undefined;
    assert.match(textOf(await harness.call(client, 'git_changes')), /Git extension is not there or off/);
  });

  it('makes prompts of what the editor knows, and completes their arguments', async () => {
    const { editor } = harness;
    harness.search.paths.push('a.ts', 'b.ts');
    harness.clock.after(100, () => editor.publish(editor.uri('a.ts'), problem('broken', { range: range(1, 0) })));
    const { messages } = await harness.passing(client.getPrompt({ name: 'fix_problems', arguments: { file: 'a.ts' } }));
    assert.match(JSON.stringify(messages), /Fix these problems of a\.ts[^]*1 problem\.[^]*a\.ts:2:1 error broken/);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'fix_problems' },
      argument: { name: 'file', value: 'b' },
    });
    assert.deepEqual(completion, { values: ['b.ts'], total: 1, hasMore: false });
    const test = await client.getPrompt({ name: 'write_test', arguments: { symbol: 'two', file: 'a.ts' } });
    assert.match(JSON.stringify(test.messages), /Write tests for two of a\.ts/);
  });

  it('keeps a ledger of what each client was given, refused or failed to get', async () => {
    await client.readResource({ uri: 'editor://open' });
    await assert.rejects(client.readResource({ uri: 'diagnostics://file/.env' }));
    await harness.call(client, 'git_changes', { diff: true });
    await harness.call(client, 'get_diagnostics', { files: ['none.ts'] });
    (await harness.server.watched.watch('editor://open', { id: 'agent', label: 'Agent' }, () => undefined)).dispose();
    const entries = harness.server.ledger.entries.value.map(({ client: who, program, kind, what, part, outcome }) => [
      who,
      program,
      kind,
      what,
      part,
      outcome,
    ]);
    assert.deepEqual(entries, [
      ['Agent', undefined, 'resource', 'editor://open', 'subscription', 'given'],
      ['Agent', 'test-program', 'tool', 'get_diagnostics', 'files×1', 'failed'],
      ['Agent', 'test-program', 'tool', 'git_changes', 'diff=true', 'given'],
      ['Agent', 'test-program', 'resource', 'diagnostics://file/.env', undefined, 'refused'],
      ['Agent', 'test-program', 'resource', 'editor://open', undefined, 'given'],
    ]);
    assert.equal(harness.server.ledger.entries.value.at(-1)?.bytes, 36);
  });

  it('gives a client only what the person lets it have', async () => {
    harness.scope.value = { groups: new Set(['read']), subjects: new Set(['views']) };
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['active_context', 'get_result', 'open_file']);
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['editor://active', 'editor://selection', 'editor://open'],
    );
    await assert.rejects(client.readResource({ uri: 'diagnostics://workspace' }), { code: -32_602 });
    await assert.rejects(harness.server.watched.watch('diagnostics://workspace', agent, () => undefined));
    assert.match(
      textOf(await harness.call(client, 'get_diagnostics')),
      /The person does not let Agent use get_diagnostics: the setting portico\.agents\.scopes says/,
    );
    harness.scope.value = wholeScope;
    assert.ok((await client.listTools()).tools.length > 20);
  });

  it('tells that a list changed when a group is turned on or off, or a client that is there gets another scope', () => {
    let told = 0;
    const listening = harness.server.onDidChangeScopes(() => (told += 1));
    harness.editor.settings.value = { ...harness.editor.settings.value, hiddenSources: ['x'] };
    assert.equal(told, 0);
    harness.editor.settings.value = { ...harness.editor.settings.value, groups: new Set() };
    assert.equal(told, 1);
    harness.scope.value = { ...wholeScope, subjects: new Set(['files']) };
    assert.equal(told, 2);
    harness.scope.value = { ...wholeScope, subjects: new Set(['files']) };
    assert.equal(told, 2);
    listening.dispose();
  });

  it('ends a wait for diagnostics when the client cancels, and tells progress to who asked for it', async () => {
    const stop = new AbortController();
    const asked = client.callTool({ name: 'get_diagnostics', arguments: { files: ['a.ts'] } }, { signal: stop.signal });
    asked.catch(() => undefined);
    stop.abort('enough');
    await assert.rejects(asked);
    const updates: string[] = [];
    await harness.passing(
      client.callTool(
        { name: 'get_diagnostics', arguments: { files: ['a.ts'], timeoutMs: 0 } },
        { onprogress: ({ message }) => updates.push(message ?? '') },
      ),
    );
    assert.deepEqual(updates, ['1 of 1 files']);
  });
});
