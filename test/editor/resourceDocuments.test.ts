import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commands, extensionId, settings } from '../../src/ids';
import { toDocumentAddress, toResourceAddress } from '../../src/vscode/interop/resourceAddress';
import { wholeLines } from '../harness/wholeLines';

const folder = mkdtempSync(join(tmpdir(), 'portico-documents-'));
const shelfFile = join(folder, 'today.md');
const traceFile = join(folder, 'trace');

interface WireEntry {
  readonly method?: string;
  readonly params?: { readonly uri?: string };
}

function asked(method: string): readonly string[] {
  const lines = wholeLines(traceFile);
  const entries = lines.map((line) => JSON.parse(line) as WireEntry);
  return entries.flatMap((entry) => (entry.method === method ? [entry.params?.uri ?? ''] : []));
}

async function eventually<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const open = async (uri: string, part?: number): Promise<void> => {
  await vscode.commands.executeCommand(commands.openResource, {
    server: 'shelf',
    uri,
    ...(part === undefined ? {} : { part }),
  });
};
const closeAll = async (): Promise<void> => {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
};
const activeInput = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
/** The document of the active tab, once its editor is there. */
const shown = (name: string): Promise<vscode.TextDocument> =>
  eventually(() => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.path.endsWith(`/${name}`) && document;
  });

describe('documents of resources', () => {
  before(async () => {
    writeFileSync(shelfFile, '# Today\n');
    await vscode.extensions.getExtension(extensionId)?.activate();
    const servers = (file: string) => ({
      command: process.execPath,
      args: [join(vscode.extensions.getExtension(extensionId)?.extensionPath ?? '', 'test/fixtures/servers', file)],
      env: { SHELF_FILE: shelfFile, WIRE_TRACE: traceFile },
    });
    const value = { shelf: servers('shelf.mjs'), odd: servers('oddResources.mjs') };
    await vscode.workspace.getConfiguration().update(settings.servers, value, vscode.ConfigurationTarget.Global);
    const main = vscode.Uri.from(toDocumentAddress({ server: 'odd', uri: 'main' }, 'main'));
    await eventually(async () => String(await vscode.workspace.fs.readFile(main)) === 'odd: main');
  });
  afterEach(closeAll);
  after(async () => {
    await vscode.workspace.getConfiguration().update(settings.servers, undefined, vscode.ConfigurationTarget.Global);
    rmSync(folder, { recursive: true, force: true });
  });

  it('show text read-only in the language of its type, then of its ending, in the preview tab', async () => {
    await open('shelf://notes/sizes');
    const sizes = await shown('sizes.json');
    assert.equal(sizes.languageId, 'json');
    assert.match(sizes.getText(), /^\{"of":"shelf"/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, true);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(sizes.uri.scheme), false);
    await open('shelf://code/count.py');
    assert.equal((await shown('count.py')).languageId, 'python');
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });

  it('keep the tab of a double click', async () => {
    await Promise.all([open('shelf://code/count.py'), open('shelf://code/count.py')]);
    await shown('count.py');
    await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview === false);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });

  it('show pictures in the viewer', async () => {
    await open('shelf://pictures/green.png');
    const input = await eventually(() => {
      const now = activeInput();
      return now instanceof vscode.TabInputCustom && now;
    });
    assert.match(input.uri.path, /\/green\.png$/);
    assert.match(input.viewType, /imagePreview/);
  });

  it('give each of several contents, the first where none is chosen', async () => {
    await open('shelf://reports/year');
    assert.equal((await shown('summary.md')).getText(), '# Year of shelf\n');
    await open('shelf://reports/year', 1);
    const figures = await shown('figures.json');
    assert.deepEqual([figures.languageId, figures.getText()], ['json', '{"books": 4}']);
    await open('shelf://reports/year', 2);
    await eventually(() => activeInput() instanceof vscode.TabInputCustom);
  });

  it('are read through the file system without ever having been opened, bytes as they are', async () => {
    const address = toDocumentAddress({ server: 'shelf', uri: 'shelf://bytes/archive.bin' }, 'archive.bin');
    const before = asked('resources/read').length;
    const [stat, bytes] = await Promise.all([
      vscode.workspace.fs.stat(vscode.Uri.from(address)),
      vscode.workspace.fs.readFile(vscode.Uri.from(address)),
    ]);
    assert.deepEqual([[...bytes], stat.size], [[0, 255, 1, 254, 0], 5]);
    assert.equal(asked('resources/read').length - before, 1);
  });

  it('refresh when the server says that they changed, and are unsubscribed once closed', async () => {
    const uri = 'shelf://notes/today.md';
    await open(uri);
    const document = await shown('today.md');
    await eventually(() => asked('resources/subscribe').includes(uri));
    const changed = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && document.getText() === '# Tomorrow\n') {
          listener.dispose();
          resolve();
        }
      });
    });
    writeFileSync(shelfFile, '# Tomorrow\n');
    await changed;
    assert.equal(asked('resources/unsubscribe').includes(uri), false);
    await closeAll();
    await eventually(() => asked('resources/unsubscribe').includes(uri));
    assert.equal(asked('resources/subscribe').filter((one) => one === uri).length, 1);
  });

  it('say why they cannot be shown, and load once they can', async () => {
    const address = toDocumentAddress({ server: 'later', uri: 'urn:x:1' }, 'x.txt');
    const uri = vscode.Uri.from(address);
    await vscode.window.showTextDocument(uri);
    const document = await shown('x.txt');
    assert.match(document.getText(), /could not be loaded[\s\S]*There is no server "later"[\s\S]*Resource: urn:x:1/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['Try Again'],
    );
    const configuration = vscode.workspace.getConfiguration();
    const all = configuration.get<Record<string, object>>(settings.servers) ?? {};
    await configuration.update(settings.servers, { ...all, later: all['odd'] }, vscode.ConfigurationTarget.Global);
    const start = await eventually(async () => {
      const now = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      return now[0]?.command?.title === 'Start later' && now[0].command;
    });
    await vscode.commands.executeCommand(start.command, ...(start.arguments ?? []));
    await eventually(() => document.getText() === 'odd: urn:x:1');
    assert.deepEqual(toResourceAddress(document.uri), { server: 'later', uri: 'urn:x:1' });
  });

  it('of pictures that cannot be read fail with the reason', async () => {
    const address = toDocumentAddress({ server: 'odd', uri: 'odd://no-such.png' }, 'no-such.png');
    await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.from(address))), /Resource not found/);
  });

  it('of 20 MB open', async () => {
    await vscode.commands.executeCommand(commands.openResource, { server: 'odd', uri: 'odd://size/20000000' });
    const document = await shown('20000000');
    assert.equal(document.getText().length, 20_000_000);
  });

  it('run no command that the server linked', async () => {
    writeFileSync(
      shelfFile,
      '# Today\n\n[click](command:workbench.action.files.newUntitledFile) [page](https://example.com/)\n',
    );
    await open('shelf://notes/today.md');
    const document = await shown('today.md');
    await eventually(() => document.getText().includes('[click]'));
    const links = await eventually(async () => {
      const all = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
      );
      return all.some(({ target }) => target?.scheme === 'https') && all;
    });
    assert.deepEqual(
      links.map(({ target }) => target?.scheme),
      [undefined, 'https'],
    );
  });
});
