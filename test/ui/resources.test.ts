import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { received, sizesNonces, shelves, writeToday } from './driver/shelf';
import type { Tree } from './driver/tree';
import { until, untilEqual } from './driver/until';
import { themes, Workbench } from './driver/workbench';

const today = 'shelf://notes/today.md';

describe('resources', () => {
  let workbench: Workbench;
  let resources: Tree;
  before(async () => {
    workbench = await Workbench.open({
      settings: { 'portico.servers': shelves('shelf', 'attic') },
      files: { 'today.md': '# Today\n\nTide at noon.\n' },
    });
    await workbench.openPortico();
    const servers = workbench.tree.of('Servers');
    for (const key of ['shelf', 'attic']) {
      await servers.action(`${key}, stopped`, 'Start Server');
      await servers.row(`${key}, ready`).waitFor();
    }
    await workbench.tree.openView('Resources');
    // So that all its rows are there at once.
    await workbench.tree.closeView('Servers');
    resources = workbench.tree.of('Resources');
    await resources.row('shelf, 6 resources').waitFor();
  });
  after(() => workbench.close());
  beforeEach(() => workbench.execute('workbench.action.closeAllEditors'));

  /** Opens a row of the first server by the keyboard alone. */
  async function openByKeyboard(row: string): Promise<void> {
    await workbench.execute('portico.resources.focus');
    await resources.walkTo(row);
    await workbench.page.keyboard.press('Enter');
  }

  for (const [row, language, text] of [
    ['today.md, Markdown, from shelf', 'Markdown', 'Tide at noon.'],
    ['sizes, JSON, from shelf', 'JSON', '"of":"shelf"'],
    ['count.py, from shelf', 'Python', 'for n in range(3):'],
  ] as const) {
    it(`opens ${row} by keyboard, read-only, as ${language}`, async () => {
      await openByKeyboard(row);
      await workbench.waitForEditorText(text);
      await workbench.page
        .locator('.part.statusbar [id="status.editor.mode"]')
        .filter({ hasText: new RegExp(`^${language}$`) })
        .waitFor();
      const before = await workbench.editorText();
      await workbench.page.locator('.editor-group-container.active .view-lines').first().click();
      await workbench.page.keyboard.type('x');
      await workbench.page.locator('.monaco-editor-overlaymessage', { hasText: 'read-only' }).waitFor();
      assert.equal(await workbench.editorText(), before);
    });
  }

  it('opens a picture by keyboard', async () => {
    await openByKeyboard('green.png, PNG image, from shelf');
    await workbench.webview().locator('img').first().waitFor();
    await workbench.waitForTabs(['green.png']);
  });

  it('opens every part of a read with several', async () => {
    await openByKeyboard('year, from shelf');
    await workbench.waitForEditorText('Year of shelf');
    await openByKeyboard('figures.json, JSON, from shelf');
    await workbench.waitForEditorText('"books": 4');
    await openByKeyboard('cover.png, PNG image, from shelf');
    await workbench.webview().locator('img').first().waitFor();
  });

  it('fault 57: opens the same address of two servers as two documents', async () => {
    await openByKeyboard('sizes, JSON, from shelf');
    await workbench.waitForEditorText('"of":"shelf"');
    await workbench.execute('workbench.action.keepEditor');
    await openByKeyboard('sizes, JSON, from attic');
    await workbench.waitForEditorText('"of":"attic"');
    await workbench.waitForTabs(['sizes.json', 'sizes.json']);
  });

  it('asks for the variables of a template, with what the server proposes in the light of those before', async () => {
    const { quickInput } = workbench;
    await openByKeyboard('A book, template, from shelf');
    await quickInput.waitForTitle('topic');
    await quickInput.type('tra');
    await quickInput.pick('travel');
    await quickInput.waitForTitle('title');
    await quickInput.row('Eothen').waitFor();
    assert.equal(await quickInput.row('The Moonstone').count(), 0);
    await workbench.screenshot('template');
    await quickInput.pick('The Valleys of the Assassins');
    await workbench.waitForEditorText('The Valleys of the Assassins, travel, of shelf');
    const read = received(workbench, 'shelf').findLast((line) => line.startsWith('resources/read'));
    assert.equal(read, 'resources/read shelf://books/travel/The%20Valleys%20of%20the%20Assassins');
  });

  it('refreshes an open resource when the server changes it, and unsubscribes when its tab is closed', async () => {
    const subscriptions = () => received(workbench, 'shelf').filter((line) => line.endsWith(`subscribe ${today}`));
    await until('no subscription', () => subscriptions().length % 2 === 0);
    const before = subscriptions().length;
    await openByKeyboard('today.md, Markdown, from shelf');
    await workbench.waitForEditorText('Tide at noon.');
    await until('the subscription', () => subscriptions().length === before + 1);
    writeToday(workbench, '# Today\n\nTide at one.\n');
    await workbench.waitForEditorText('Tide at one.');
    await workbench.execute('workbench.action.closeActiveEditor');
    await until('the end of the subscription', () => subscriptions().length === before + 2);
    assert.deepEqual(subscriptions().slice(-2), [`resources/subscribe ${today}`, `resources/unsubscribe ${today}`]);
  });

  it('finds a resource of any server', async () => {
    const { quickInput } = workbench;
    await workbench.tree.titleAction('Resources', 'Find Resource');
    await quickInput.type('sizes');
    await until('those of both servers alone', async () => (await quickInput.rows.count()) === 2);
    await quickInput.pickWith('attic', 'sizes');
    await workbench.waitForEditorText('"of":"attic"');
  });

  for (const [where, mode, prefix] of [
    ['@portico', 'ask', '@portico '],
    ['agent mode', 'agent', ''],
  ] as const) {
    it(`gives two attached resources to the model: ${where}`, async () => {
      const { chat, model } = workbench;
      const made = randomUUID();
      writeToday(workbench, `# Today\n\n${made}\n`);
      await chat.open(mode);
      await chat.clear();
      await resources.select('today.md, Markdown, from shelf', 'sizes, JSON, from shelf');
      await resources.contextMenu('sizes, JSON, from shelf', 'Add to Chat');
      await chat.waitForInput('', 'today.md', 'sizes');
      await model.script({ say: 'I have read both.' });
      await chat.send(`${prefix}what do they say?`);
      await chat.waitForAnswer('I have read both.');
      const heard = JSON.stringify((await model.requests()).at(-1)?.messages);
      assert.ok(heard.includes(made), heard);
      assert.ok(
        sizesNonces(workbench, 'shelf').some((nonce) => heard.includes(nonce)),
        heard,
      );
    });
  }

  it('saves the bytes of a resource', async () => {
    const { quickInput } = workbench;
    const path = join(workbench.folder, 'archive.bin');
    await resources.contextMenu('archive.bin, binary, from shelf', 'Save Resource As');
    await until('the proposed place', async () => (await quickInput.input.inputValue()) === path);
    await quickInput.accept();
    await until('the file', () => existsSync(path));
    assert.deepEqual([...readFileSync(path)], [0, 255, 1, 254, 0]);
  });

  it('copies the address as the server has it', async () => {
    await resources.contextMenu('archive.bin, binary, from shelf', 'Copy URI');
    await until('the clipboard', async () => (await workbench.clipboard()) === 'shelf://bytes/archive.bin');
  });

  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    it(`says what each row is, and keeps its first word in sight in a narrow column: ${theme}`, async () => {
      await workbench.useTheme(theme);
      await workbench.resizeSideBar(250);
      await workbench.screenshot(`resources-${theme}-narrow`);
      await untilEqual(() => resources.cutFirstWords(), []);
      assert.deepEqual(
        (await resources.labels()).filter((label) => !/\w/.test(label)),
        [],
      );
      await workbench.resizeSideBar(300);
    });
  }
});
