import assert from 'node:assert/strict';
import { fixtureServer } from './driver/servers';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

interface Answer {
  readonly content?: unknown;
  readonly model?: string;
  readonly stopReason?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

describe('sampling', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: {
        'portico.servers': { poet: fixtureServer('sampling'), later: fixtureServer('sampling', 'stateless') },
      },
    });
    await workbench.openPortico();
    for (const server of ['poet', 'later']) {
      await workbench.tree.action(`${server}, stopped`, 'Start Server');
      await workbench.tree.row(`${server}, ready`).waitFor();
    }
  });
  after(() => workbench.close());

  /** Waits for the question whose message begins so, and has the keyboard on its first button. */
  const question = async (message: string): Promise<string> => {
    await workbench.page.locator('.monaco-dialog-box .dialog-message', { hasText: message }).waitFor();
    await workbench.page.locator('.monaco-dialog-box .monaco-button:focus', { hasText: 'Read and Edit…' }).waitFor();
    return workbench.modalText();
  };
  const asks = (server: string): Promise<string> => question(`“${server}” asks the model Scripted`);
  const gets = (server: string): Promise<string> => question(`“${server}” gets this answer of Scripted`);

  const run = async (server: string, tool: string): Promise<void> => {
    await workbench.execute('workbench.action.closeAllEditors');
    workbench.begin('portico.runTool', { server, tool });
    await workbench.answerByKeyboard('Run');
  };
  /** Chooses a button of the question by Tab. */
  const choose = async (label: string): Promise<void> => {
    const { page } = workbench;
    const focused = page.locator('.monaco-dialog-box .monaco-button:focus');
    while ((await focused.innerText()) !== label) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  };
  const readAndEdit = async (text: string): Promise<void> => {
    await workbench.page.keyboard.press('Enter');
    await workbench.waitForEditorText(text);
  };
  const append = async (text: string): Promise<void> => {
    await workbench.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type(text);
    await workbench.waitForEditorText(text);
  };
  /** What the server got, as its tool tells it. */
  const answered = async (): Promise<Answer> => {
    return (await workbench.waitForEditorJson('{')) as Answer;
  };
  const buttons = (): Promise<string[]> => workbench.page.locator('.monaco-dialog-box .monaco-button').allInnerTexts();
  const more = async (label: string): Promise<void> => {
    await choose('More…');
    await workbench.quickInput.pick(label);
  };

  for (const server of ['poet', 'later']) {
    it(`is reviewed before and after, edited and allowed, by keyboard alone (${server})`, async () => {
      const { model, page } = workbench;
      await model.script({ say: 'Waves fold into foam' });
      await run(server, 'haiku');
      const shown = await asks(server);
      assert.match(shown, /System: You write haikus and nothing else\.\s+User: A haiku about the sea, please\./);
      assert.match(shown, /an answer of at most 100/);
      // Keys that were meant for something else allow nothing.
      await page.keyboard.type('allow');
      await readAndEdit('You write haikus and nothing else.');
      assert.equal((await model.requests()).length, 0);
      await append('With a gull.');
      await page.keyboard.press('Control+Enter');
      assert.match(await asks(server), /User:\s+A haiku about the sea, please\.\s+With a gull\./);
      await choose('Allow Once');

      assert.match(await gets(server), /Assistant: Waves fold into foam/);
      await readAndEdit('Waves fold into foam');
      await append('Seen.');
      // A closed sheet is as good as one that was gone on from.
      await workbench.execute('workbench.action.closeActiveEditor');
      assert.match(await gets(server), /Waves fold into foam\s+Seen\./);
      await choose('Send Answer');

      assert.deepEqual(await answered(), {
        role: 'assistant',
        model: 'scripted',
        stopReason: 'endTurn',
        content: { type: 'text', text: 'Waves fold into foam\nSeen.' },
      });
      const [request] = await model.requests();
      assert.deepEqual(request?.messages, [
        { role: 'user', parts: [{ text: 'You write haikus and nothing else.' }] },
        { role: 'user', parts: [{ text: 'A haiku about the sea, please.\nWith a gull.' }] },
      ]);
    });
  }

  for (const theme of ['light', 'dark'] as const) {
    it(`looks as it should (${theme})`, async () => {
      const { model, page, quickInput } = workbench;
      await workbench.useTheme(theme);
      await model.script({ say: 'Waves fold into foam' });
      await run('poet', 'haiku');
      await asks('poet');
      await workbench.screenshot(`sampling-request-${theme}`);
      await choose('More…');
      await quickInput.row('Always Allow').waitFor();
      await workbench.screenshot(`sampling-more-${theme}`);
      await page.keyboard.press('Escape');
      await asks('poet');
      await readAndEdit('You write haikus');
      await workbench.screenshot(`sampling-sheet-${theme}`);
      await page.keyboard.press('Control+Enter');
      await asks('poet');
      await choose('Allow Once');
      await gets('poet');
      await workbench.screenshot(`sampling-answer-${theme}`);
      await choose('Send Answer');
      await answered();
    });
  }

  it('is refused by Escape, before and after', async () => {
    const { model, page } = workbench;
    await model.script({ say: 'Nobody sees this' });
    await run('poet', 'haiku');
    await asks('poet');
    await page.keyboard.press('Escape');
    const refusal = { error: { code: -1, message: 'User rejected sampling request' } };
    assert.deepEqual(await answered(), refusal);
    assert.equal((await model.requests()).length, 0);

    await run('poet', 'haiku');
    await asks('poet');
    await choose('Allow Once');
    await gets('poet');
    await page.keyboard.press('Escape');
    assert.deepEqual(await answered(), refusal);
  });

  it('cannot be allowed unread where it is too long for a dialog', async () => {
    const { model } = workbench;
    await model.script({ say: 'word '.repeat(90) });
    await run('poet', 'essay');
    assert.match(await asks('poet'), /too long for this dialog/);
    assert.deepEqual((await buttons()).sort(), ['Read and Edit…', 'Refuse']);
    await readAndEdit('Paragraph 1');
    await workbench.page.keyboard.press('Control+Enter');
    await asks('poet');
    await choose('Allow Once');
    await gets('poet');
    await choose('Send Answer');
    const { content, stopReason } = await answered();
    assert.equal(stopReason, 'maxTokens');
    // The scripted model counts four characters of JSON as a token.
    assert.ok(JSON.stringify((content as { text: string }).text).length <= 40);
  });

  it('gives models pictures', async () => {
    const { model } = workbench;
    await model.script({ say: 'A red square' });
    await run('poet', 'look');
    assert.match(await asks('poet'), /\[image, image\/png, 1 KB\]/);
    await choose('Allow Once');
    await gets('poet');
    await choose('Send Answer');
    assert.deepEqual((await answered()).content, { type: 'text', text: 'A red square' });
    const [, picture] = (await model.requests())[0]?.messages[0]?.parts ?? [];
    assert.equal(picture?.mimeType, 'image/png');
  });

  it('goes through a loop of tools without a question once the server is allowed for the session', async () => {
    const { model, notifications } = workbench;
    await model.script({ call: [{ tool: 'get_weather', args: { city: 'Bergen' } }] }, { say: 'It says: {{result}}' });
    await run('poet', 'weather');
    await asks('poet');
    await readAndEdit('Current weather of a city');
    await workbench.screenshot('sampling-tools');
    await workbench.page.keyboard.press('Control+Enter');
    await asks('poet');
    await more('Allow in This Session');
    assert.deepEqual((await answered()).content, { type: 'text', text: 'It says: Rain in Bergen' });
    const [, second] = await model.requests();
    assert.deepEqual(
      second?.tools.map(({ name }) => name),
      ['get_weather'],
    );

    // In the background too, until that is taken back.
    await model.script({ say: 'Unseen' });
    await run('poet', 'later');
    await until('a request in the background', async () => (await model.requests()).length === 1);
    await workbench.runCommand('Portico: Forget Approvals');
    await workbench.quickInput.waitForTitle('Forget Approvals');
    await workbench.quickInput.pick('poet');
    await notifications.waitFor('The approvals of poet are forgotten.');
    await run('poet', 'later');
    await run('poet', 'haiku');
    await asks('poet');
    await workbench.page.keyboard.press('Escape');
    await answered();
    assert.equal((await model.requests()).length, 1);
  });

  it('is on record', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Portico: Show Model Requests…');
    await quickInput.pick('poet');
    await quickInput.waitForTitle('Model requests of poet');
    await quickInput.rows.filter({ hasText: 'User rejected sampling request' }).first().waitFor();
    await workbench.screenshot('sampling-log');
    await quickInput.pickWith('ok, ');
    const record = await workbench.waitForEditorText('"outcome": "ok"');
    assert.match(record, /"model": "Scripted \(scripted\/scripted\)"/);
  });
});
