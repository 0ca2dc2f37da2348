import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DisposableStore } from '../../../src/base/disposable';
import { NullLogger } from '../../../src/base/log';
import { ClientTokens, newToken } from '../../../src/server/clientTokens';
import { PublishedRecord } from '../../../src/server/discovery/publishedRecord';
import { createEditorServer, type PublishedEditor } from '../../../src/server/editor/createEditorServer';
import { wholeScope } from '../../../src/server/editor/offerCatalog';
import { McpEndpoint } from '../../../src/server/endpoint/mcpEndpoint';
import type { ListenerAddress, ListenerLimits } from '../../../src/server/serverTypes';
import { someRecord } from '../../unit/server/discovery/someRecord';
import { FakeEditor, problem, range } from '../../unit/server/editor/fakeEditor';
import { createTestListener } from '../../unit/server/localListener';
import { TokenProxy } from '../tokenProxy';

/** More than the files of one page of `resources/list`. */
export const fileCount = 450;
export const unsavedText = 'const unsaved = 1;\nbroken(;\n';

export interface WindowOptions {
  readonly limits?: Partial<ListenerLimits>;
  /** Of the workspace; one where absent. */
  readonly folders?: readonly string[];
}

/**
 * A window of the editor as it is shared, in plain Node: the whole editor server over the fake editor, on a socket and a
 * loopback port, announced in a home of Portico for `dist/bridge.js`. `src/a.ts` is open with unsaved text and one problem.
 */
export class EditorWindow {
  readonly editor: FakeEditor;
  readonly endpoint: McpEndpoint;
  readonly published: PublishedEditor;
  /** Portico's. */
  readonly home: string;
  readonly tokens: ClientTokens;
  readonly token = newToken();
  private readonly store = new DisposableStore();
  private readonly test: ReturnType<typeof createTestListener>;
  private proxy: Promise<TokenProxy> | undefined;
  private constructed: { readonly socket: ListenerAddress; readonly url: URL } | undefined;

  private constructor({ limits, folders }: WindowOptions) {
    this.home = realpathSync(mkdtempSync(join(tmpdir(), 'ptest-home-')));
    this.editor = this.store.add(new FakeEditor(folders));
    this.published = this.store.add(
      createEditorServer({
        ports: this.editor,
        worker: pathToFileURL(resolve('dist/editorWorker.js')),
        version: '1.2.3',
        scopeOf: () => wholeScope,
        log: new NullLogger(),
      }),
    );
    this.tokens = this.store.add(new ClientTokens());
    this.tokens.add({ id: 'bridge', label: 'Another agent' }, this.token);
    this.test = this.store.add(createTestListener(limits, this.tokens));
    this.endpoint = this.store.add(new McpEndpoint(this.published.server, { log: new NullLogger() }));
    this.store.add(this.published.tell(this.endpoint.notices));
    this.test.listener.addRoute(this.endpoint.route('/editor'));
  }

  static async open(options: WindowOptions = {}): Promise<EditorWindow> {
    const window = new EditorWindow(options);
    const { editor, test } = window;
    for (let index = 0; index < fileCount; index += 1) {
      editor.write(`lib/file${index}.ts`, `export const value${index} = ${index};\n`);
    }
    editor.write('src/a.ts', 'const saved = 1;\n');
    editor.edit(editor.openFile('src/a.ts'), unsavedText);
    editor.publish(editor.uri('src/a.ts'), problem('Expression expected.', { range: range(1, 7) }));
    const socket = await test.listener.start();
    const { host, port } = await test.listener.startLoopback();
    window.constructed = { socket, url: new URL(`http://${host}:${port}/editor`) };
    const folders = editor.folders.value.map(({ path }) => path);
    const record = someRecord(randomUUID(), { address: socket, token: window.token }, ...folders);
    const announced = window.store.add(new PublishedRecord(window.home, record, new NullLogger()));
    await announced.written;
    return window;
  }

  /** At the loopback port; asks for the token. */
  get url(): URL {
    return this.opened.url;
  }

  get socket(): ListenerAddress {
    return this.opened.socket;
  }

  /** What an agent sends with each request. */
  get authorization(): string {
    return `Bearer ${this.token}`;
  }

  /** An address that asks for no token. */
  async openUrl(): Promise<URL> {
    const { port } = this.url;
    this.proxy ??= TokenProxy.open({ kind: 'tcp', host: '127.0.0.1', port: Number(port) }, this.token);
    return (await this.proxy).url('/editor');
  }

  /** How an agent starts the bridge. */
  bridge(...args: readonly string[]) {
    return {
      command: process.execPath,
      args: [resolve('dist/bridge.js'), ...args],
      cwd: this.editor.folders.value[0]?.path ?? this.editor.root,
      env: { PATH: process.env['PATH'] ?? '', PORTICO_HOME: this.home },
    };
  }

  async close(): Promise<void> {
    await (await this.proxy)?.close();
    this.store.dispose();
    rmSync(this.home, { recursive: true, force: true });
  }

  private get opened() {
    if (this.constructed === undefined) {
      throw new Error('The window is not open.');
    }
    return this.constructed;
  }
}
