import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { signal } from '@preact/signals-core';
import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../../src/base/disposable';
import { NullLogger } from '../../src/base/log';
import { extensionId } from '../../src/ids';
import { createEditorServer } from '../../src/server/editor/createEditorServer';
import { wholeScope } from '../../src/server/editor/offerCatalog';
import { McpEndpoint } from '../../src/server/endpoint/mcpEndpoint';
import { createEditorPorts } from '../../src/vscode/editorServer/editorPorts';
import { createTestListener } from '../unit/server/localListener';
import { socketFetch } from '../unit/server/socketFetch';

/** A resource is told of no more often than this, in milliseconds. */
const WINDOW_MS = 250;
const TARGET_MS = 60;
const ROUNDS = 40;

interface Found {
  readonly complete: boolean;
  readonly files: readonly { readonly state: string; readonly dirty: boolean }[];
  readonly items: readonly {
    readonly message: string;
    readonly line: number;
    readonly code?: string;
    readonly codeUrl?: string;
  }[];
}

/** What a language extension does: looks for BAD in the documents that are open, a moment after they changed. */
class TestLanguage {
  readonly store = new DisposableStore();
  readonly collection = this.store.add(vscode.languages.createDiagnosticCollection('test'));
  /** How long it takes, in milliseconds. */
  takes = 150;

  constructor() {
    const look = (document: vscode.TextDocument): void => {
      if (document.languageId === 'typescript' && document.uri.scheme === 'file') {
        setTimeout(() => this.publish(document), this.takes);
      }
    };
    this.store.add(vscode.workspace.onDidOpenTextDocument(look));
    this.store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
  }

  private publish(document: vscode.TextDocument): void {
    const at = document.getText().indexOf('BAD');
    const start = document.positionAt(Math.max(0, at));
    const range = new vscode.Range(start, start.translate(0, 3));
    const diagnostic = new vscode.Diagnostic(range, 'This is bad.');
    diagnostic.code = { value: 'no-bad', target: vscode.Uri.parse('https://example.com/no-bad') };
    this.collection.set(document.uri, at < 0 ? [] : [diagnostic]);
  }
}

function percentile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? NaN;
}

function figures(values: readonly number[]): string {
  return `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`;
}

/** A line of the report. */
function tell(text: string): void {
  const report = process.env['PORTICO_TEST_REPORT'];
  if (report !== undefined) {
    appendFileSync(report, `  ${text}\n`);
  }
}

describe('the editor server in the editor', () => {
  const store = new DisposableStore();
  let folder: string;
  let client: Client;
  let language: TestLanguage;
  const path = (name: string): string => join(folder, name);

  before(async () => {
    folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    mkdirSync(path('served'), { recursive: true });
    language = new TestLanguage();
    store.add(language.store);
    // In the browser the editor saves by itself.
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    const settings = {
      groups: new Set<'edit' | 'run'>(),
      secrets: ['.env*'],
      allowedDirectories: [],
      hiddenSources: [],
    };
    const services = { documents: { provide: () => toDisposable(() => undefined) }, logs: { own: new NullLogger() } };
    const ports = createEditorPorts(services as never, signal(settings), signal(false), store);
    const { extensionPath = '' } = vscode.extensions.getExtension(extensionId) ?? {};
    const editor = createEditorServer({
      ports,
      worker: pathToFileURL(join(extensionPath, 'dist', 'editorWorker.js')),
      version: '1.2.3',
      scopeOf: () => wholeScope,
      log: new NullLogger(),
    });
    store.add(editor);
    const endpoint = store.add(new McpEndpoint(editor.server, { log: new NullLogger() }));
    store.add(editor.tell(endpoint.notices));
    const test = store.add(createTestListener());
    test.listener.addRoute(endpoint.route('/editor'));
    const address = await test.listener.start();
    client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/editor'), {
        fetch: socketFetch(address),
        requestInit: { headers: { authorization: `Bearer ${test.listener.token}` } },
      }),
    );
  });
  after(async () => {
    await client.close();
    store.dispose();
    const files = vscode.workspace.getConfiguration('files');
    await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(path('served'), { recursive: true, force: true });
  });

  const diagnostics = async (name: string, timeoutMs = 10_000): Promise<Found> => {
    const result = await client.callTool({ name: 'get_diagnostics', arguments: { files: [name], timeoutMs } });
    assert.notEqual(result.isError, true, JSON.stringify(result.content));
    return result.structuredContent as unknown as Found;
  };
  const edit = async (document: vscode.TextDocument, text: string): Promise<void> => {
    const all = new vscode.WorkspaceEdit();
    all.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    assert.equal(await vscode.workspace.applyEdit(all), true);
  };

  it('serves text that is not saved, to every way of asking', async () => {
    writeFileSync(path('served/unsaved.ts'), 'saved\n');
    const document = await vscode.workspace.openTextDocument(path('served/unsaved.ts'));
    await vscode.window.showTextDocument(document);
    await edit(document, 'not saved\n');
    assert.equal(document.isDirty, true);
    const { structuredContent } = await client.callTool({
      name: 'read_file',
      arguments: { file: 'served/unsaved.ts' },
    });
    const { text, source, dirty } = structuredContent as Record<string, unknown>;
    assert.deepEqual([text, source, dirty], ['not saved\n', 'buffer', true]);
    const { contents } = await client.readResource({ uri: document.uri.toString() });
    assert.equal((contents[0] as { text?: string }).text, 'not saved\n');
    const found = await client.callTool({ name: 'search_text', arguments: { query: 'not saved' } });
    assert.match(JSON.stringify(found.structuredContent), /"unsaved":true/);
    const active = await client.readResource({ uri: 'editor://active' });
    assert.match(JSON.stringify(active.contents), /served\/unsaved\.ts/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('tells a subscriber of a diagnostic within 60 ms beyond the window in which changes are gathered', async () => {
    const name = 'served/told.md';
    writeFileSync(path(name), 'text\n');
    const document = await vscode.workspace.openTextDocument(path(name));
    const uri = `diagnostics://file/${name}`;
    let told = (): void => undefined;
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      if (params.uri === uri) {
        told();
      }
    });
    await client.subscribeResource({ uri });
    const beyondWindow: number[] = [];
    const beyondAnswer: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      const passed = (): number => performance.now() - start;
      const updated = new Promise<number>((resolve) => (told = () => resolve(passed())));
      // What the window and one answer take on this machine, at this moment.
      const window = new Promise<number>((resolve) => setTimeout(() => resolve(passed()), WINDOW_MS));
      const answered = window.then(() => client.ping()).then(passed);
      const diagnostic = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 4), `problem ${round}`);
      language.collection.set(document.uri, [diagnostic]);
      beyondWindow.push((await updated) - (await window));
      beyondAnswer.push((await updated) - (await answered));
    }
    await client.unsubscribeResource({ uri });
    tell(`from publishing to updated, beyond ${WINDOW_MS} ms: ${figures(beyondWindow)}`);
    tell(`from publishing to updated, beyond ${WINDOW_MS} ms and an answer: ${figures(beyondAnswer)}`);
    assert.ok(percentile(beyondAnswer, 0.95) <= TARGET_MS, figures(beyondAnswer));
    assert.match(JSON.stringify((await client.readResource({ uri })).contents), new RegExp(`problem ${ROUNDS - 1}`));
  });

  it('gives a code that is an object as its value and its address', async () => {
    writeFileSync(path('served/coded.ts'), 'BAD\n');
    const [item] = (await diagnostics('served/coded.ts')).items;
    assert.deepEqual([item?.code, item?.codeUrl], ['no-bad', 'https://example.com/no-bad']);
  });

  describe('never says “no problems” of what it does not know', () => {
    it('fault 62: a file that is not open is loaded and waited for', async () => {
      writeFileSync(path('served/unopened.ts'), 'let a;\nBAD\n');
      const { complete, files, items } = await diagnostics('served/unopened.ts');
      assert.deepEqual([complete, files[0]?.state], [true, 'fresh']);
      assert.deepEqual(
        items.map(({ message, line }) => [message, line]),
        [['This is bad.', 2]],
      );
      const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);
      assert.equal(shown.includes('unopened.ts'), false);
    });

    it('fault 62: a file that nobody looks after is not clean', async () => {
      writeFileSync(path('served/nobody.xyz'), 'BAD\n');
      const { complete, files } = await diagnostics('served/nobody.xyz', 2_000);
      assert.deepEqual([complete, files[0]?.state], [false, 'notAnalyzed']);
    });

    it('fault 62: a buffer that is older than the disk has not the last word', async () => {
      const name = 'served/stale.ts';
      writeFileSync(path(name), 'good\n');
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(path(name)));
      assert.deepEqual((await diagnostics(name)).items, []);
      for (let round = 0; round < 5; round += 1) {
        writeFileSync(path(name), `${'good\n'.repeat(round + 1)}BAD\n`);
        const { complete, items } = await diagnostics(name, [0, 50, 400, 1_500, 10_000][round]);
        assert.ok(!complete || items.length === 1, `round ${round}: ${JSON.stringify({ complete, items })}`);
        const settled = await diagnostics(name);
        assert.deepEqual([settled.complete, settled.items.length], [true, 1]);
        writeFileSync(path(name), `${'good\n'.repeat(round + 2)}`);
        const clean = await diagnostics(name);
        assert.deepEqual([clean.complete, clean.items], [true, []]);
      }
    });

    it('fault 62: unsaved text counts, and is said to be unsaved', async () => {
      const name = 'served/dirty.ts';
      writeFileSync(path(name), 'good\n');
      const document = await vscode.workspace.openTextDocument(path(name));
      await vscode.window.showTextDocument(document);
      await edit(document, 'one\ntwo BAD\n');
      const { files, items } = await diagnostics(name);
      assert.deepEqual([files[0]?.state, files[0]?.dirty, items[0]?.line], ['fresh', true, 2]);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('encoded, relative and whole names mean the same file', async () => {
      writeFileSync(path('served/my file#1.ts'), 'BAD\n');
      const { uri } = await vscode.workspace.openTextDocument(path('served/my file#1.ts'));
      const plain = uri.path;
      const names = [
        'served/my file#1.ts',
        './served/my file#1.ts',
        path('served/my file#1.ts'),
        uri.toString(),
        `file://${encodeURI(plain).replace('#', '%23')}`,
        `FILE://${encodeURI(plain).replace('#', '%23').replace('served', '%73erved')}`,
        `file://localhost${encodeURI(plain).replace('#', '%23')}`,
      ];
      for (const name of names) {
        const { complete, items } = await diagnostics(name);
        assert.deepEqual([complete, items.map(({ message }) => message)], [true, ['This is bad.']], name);
      }
    });

    it('foreign, malformed and secret names are errors, a drive letter in either case too', async () => {
      writeFileSync(path('served/.env'), 'BAD\n');
      const names = [
        ...(process.platform === 'win32' ? [] : ['file:///c%3A/x.ts', 'file:///C:/x.ts', 'c:\\x.ts', 'C:/x.ts']),
        'file:///etc/hosts',
        '/etc/hosts',
        '../outside.ts',
        'git:/x.ts?ref',
        'vscode-remote://ssh-remote+host/x.ts',
        'https://example.com/x.ts',
        'untitled:Nothing-1',
        'file:///%',
        'served/none.ts',
        'served/.env',
        '',
      ];
      for (const name of names) {
        const result = await client.callTool({ name: 'get_diagnostics', arguments: { files: [name] } });
        assert.equal(result.isError, true, `${name}: ${JSON.stringify(result.structuredContent)}`);
        await assert.rejects(client.readResource({ uri: `diagnostics://file/${name}` }), name);
      }
    });
  });
});
