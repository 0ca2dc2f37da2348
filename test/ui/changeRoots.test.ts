import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fixtureServer } from './driver/servers';
import { until, untilEqual } from './driver/until';
import { Workbench } from './driver/workbench';
import { wholeLines } from '../harness/wholeLines';

const server = { ...fixtureServer('asksRoots'), env: { WIRE_TRACE: '${userHome}/roots.trace' } };

/** What the server was answered, oldest first. */
function answersOf({ server: { home } }: Workbench): readonly string[][] {
  const trace = join(home, 'roots.trace');
  const lines = wholeLines(trace);
  return lines.flatMap((line) => {
    const { result } = JSON.parse(line) as { readonly result?: { readonly roots?: readonly { uri: string }[] } };
    return result?.roots ? [result.roots.map(({ uri }) => uri)] : [];
  });
}

describe('change what a server sees', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      files: { '.vscode/settings.json': JSON.stringify({ 'portico.servers': { asking: server } }, undefined, 2) },
    });
    mkdirSync(join(workbench.server.home, 'books', 'novels'), { recursive: true });
    await workbench.openPortico();
  });
  after(() => workbench.close());

  const answers = (): readonly string[][] => answersOf(workbench);
  const settings = () => {
    const text = readFileSync(join(workbench.folder, '.vscode', 'settings.json'), 'utf8');
    const { 'portico.roots.include': include, 'portico.roots.exclude': exclude } = JSON.parse(text);
    return { include, exclude };
  };
  const uri = (path: string): string => pathToFileURL(path).href;

  it('stands in the question whether it may run', async () => {
    const { quickInput, tree } = workbench;
    await tree.action('asking, not approved', 'Review Server');
    await workbench.modalButton('Change…').waitFor();
    const text = await workbench.modalText();
    assert.ok(text.includes(`It is told of this folder: ${workbench.folder}`), text);
    await workbench.screenshot('consent-roots');
    await workbench.answer('Change…');
    await quickInput.waitForTitle('What "asking" sees');
    await untilEqual(
      async () => (await quickInput.labels()).map((label) => label.trim()),
      ['workspace', 'Add Directory…'],
    );
    await workbench.screenshot('change-roots');
    await quickInput.tick('workspace');
    await quickInput.accept();
    await workbench.modalButton('Run Server').waitFor();
    assert.ok((await workbench.modalText()).includes('It is told of no folder.'), await workbench.modalText());
    assert.deepEqual(settings(), { include: undefined, exclude: { asking: ['${workspaceFolder}'] } });
    await workbench.answer('Run Server');
    await untilEqual(answers, [[]]);
  });

  it('tells the running server, from its row', async () => {
    const { quickInput, tree } = workbench;
    await tree.contextMenu('asking, ready', 'Change What a Server Sees');
    await quickInput.waitForTitle('What "asking" sees');
    await quickInput.tick('workspace');
    await quickInput.accept();
    await until('another answer', () => answers().length === 2);
    assert.deepEqual(answers().at(-1), [uri(workbench.folder)]);
    await untilEqual(settings, { include: undefined, exclude: undefined });
  });

  it('adds a directory from the details, which follow', async () => {
    const { page, quickInput, tree } = workbench;
    const books = join(workbench.server.home, 'books');
    await tree.contextMenu('asking, ready', 'Show Server Details');
    await workbench.waitForEditorText(`- ${workbench.folder}`);
    await workbench.screenshot('details-roots');
    await page.locator('.codelens-decoration a', { hasText: 'Change…' }).click();
    await quickInput.waitForTitle('What "asking" sees');
    await quickInput.tick('Add Directory…');
    await quickInput.accept();
    await quickInput.waitForTitle('Add Directory');
    // The box fills itself once it has read its first directory, and takes no answer before it has read the next.
    await until('the first directory', async () => (await quickInput.input.inputValue()) === `${workbench.folder}/`);
    await quickInput.type(`${books}/`);
    await quickInput.row('novels').waitFor();
    await workbench.screenshot('add-directory');
    await quickInput.accept();
    await until('another answer', () => answers().length === 3);
    assert.deepEqual(answers().at(-1), [uri(workbench.folder), uri(books)]);
    await workbench.waitForEditorText(`- ${books}`);
    assert.deepEqual(settings(), { include: { asking: ['~/books'] }, exclude: undefined });
    await workbench.notifications.waitForNone();
  });
});

describe('roots in Restricted Mode', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      files: {
        '.vscode/settings.json': JSON.stringify({
          'portico.roots.include': { '*': ['${userHome}'] },
          'portico.roots.exclude': { asking: ['/nothing'] },
        }),
      },
      settings: { 'portico.servers': { asking: server }, 'portico.roots.include': { asking: ['~/books'] } },
      trust: false,
    });
    mkdirSync(join(workbench.server.home, 'books', 'novels'), { recursive: true });
    await workbench.openPortico();
  });
  after(() => workbench.close());

  it('take in what the person adds, and nothing that the folder adds', async () => {
    await workbench.tree.action('asking, stopped', 'Start Server');
    await until('an answer', () => answersOf(workbench).length === 1);
    const expected = [workbench.folder, join(workbench.server.home, 'books')].map((path) => pathToFileURL(path).href);
    assert.deepEqual(answersOf(workbench), [expected]);
  });
});
