import assert from 'node:assert/strict';
import { scenarioLog, scenarioNonce, scenarioServers } from './driver/scenario';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

const draft = 'Plan a vacation · travel';
const step = (field: string): string => `travel — Plan a vacation: ${field}`;

describe('prompts', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: { 'portico.servers': { travel: scenarioServers.travel } },
      files: { 'notes.txt': 'Notes:\n' },
    });
    await workbench.openPortico();
    await workbench.tree.action('travel, stopped', 'Start Server');
    await workbench.tree.row('travel, ready').waitFor();
    await workbench.chat.open('ask');
  });
  after(() => workbench.close());
  beforeEach(async () => {
    await workbench.execute('workbench.action.revertAndCloseActiveEditor');
    await workbench.execute('workbench.action.closeAllEditors');
    await workbench.chat.clear();
  });

  const given = (): number => scenarioLog(workbench).filter(({ method }) => method === 'prompts/get').length;

  async function choosePrompt(): Promise<void> {
    await workbench.runCommand('Portico: Run Prompt…');
    await workbench.quickInput.waitForTitle('Run Prompt');
    await workbench.quickInput.pick('Plan a vacation');
    await workbench.quickInput.waitForTitle(step('destination *'));
  }

  /** From the palette to the question where its messages go, by keyboard. */
  async function runPrompt(): Promise<void> {
    const { page, quickInput } = workbench;
    await choosePrompt();
    await quickInput.focus('Barcelona');
    await page.keyboard.press('Enter');
    await quickInput.waitForTitle(step('duration *'));
    await quickInput.type('7');
    await quickInput.accept();
    await quickInput.waitForTitle(step('interests'));
    await quickInput.pick('beaches');
    await quickInput.waitForTitle(step('budget'));
    await quickInput.accept();
    await quickInput.row('Send to @portico').waitFor();
  }

  it('shows where each prompt comes from, and asks with what the server proposes, each in the light of those before', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Portico: Run Prompt…');
    await quickInput.waitForTitle('Run Prompt');
    const text = await quickInput.row('Plan a vacation').innerText();
    assert.match(text, /travel · plan-vacation\s+Guide through vacation planning process/);
    await quickInput.pick('Plan a vacation');
    await quickInput.waitForTitle(step('destination *'));
    await quickInput.row('Lisbon').waitFor();
    await quickInput.type('ber');
    await quickInput.row('Barcelona').waitFor({ state: 'detached' });
    await quickInput.pick('Bergen');
    await quickInput.waitForTitle(step('duration *'));
    await quickInput.type('7');
    await quickInput.accept();
    await quickInput.waitForTitle(step('interests'));
    await quickInput.row('fjords').waitFor();
    assert.equal(await quickInput.row('beaches').count(), 0);
    await quickInput.cancel();
  });

  it('wants what is required, goes back, and sends nothing after Escape', async () => {
    const { page, quickInput } = workbench;
    const before = given();
    await choosePrompt();
    await quickInput.row('Lisbon').waitFor();
    await quickInput.accept();
    await quickInput.waitForPlaceholder('destination is needed');
    await quickInput.pick('Lisbon');
    await quickInput.waitForTitle(step('duration *'));
    await quickInput.accept();
    await quickInput.waitForPlaceholder('duration is needed');
    await page.keyboard.press('Control+Alt+Minus');
    await quickInput.waitForTitle(step('destination *'));
    assert.equal(await quickInput.input.inputValue(), 'Lisbon');
    await quickInput.accept();
    await quickInput.waitForTitle(step('duration *'));
    await quickInput.cancel();
    assert.equal(given(), before);
    await workbench.waitForTabs([]);
  });

  it('sends all messages with their roles to @portico', async () => {
    const { chat, model, quickInput } = workbench;
    await runPrompt();
    await workbench.waitForEditorText('Plan a vacation in Barcelona for 7 days.');
    await quickInput.pick('Send to @portico');
    await chat.waitForInput('@portico Plan a vacation', draft);
    await model.script({ say: 'A fine plan.' });
    await chat.sendInput();
    await chat.waitForAnswer('A fine plan.');
    const messages = (await model.requests()).at(-1)?.messages ?? [];
    const said = messages.slice(-4).map(({ role, parts }) => [role, JSON.stringify(parts)] as const);
    const find = (role: string, text: string): boolean =>
      said.some(([who, what]) => who === role && what.includes(text));
    assert.ok(
      find('user', 'Plan a vacation in Barcelona for 7 days. Interests: beaches. Budget: not fixed.'),
      String(said),
    );
    assert.ok(find('assistant', scenarioNonce(workbench, 'plan-vacation')), String(said));
    assert.ok(find('user', '- architecture'), String(said));
    // The title names the conversation and is no message.
    assert.ok(!JSON.stringify(said.at(-1)).includes('Plan a vacation'), String(said.at(-1)));
  });

  it('sends what was edited before', async () => {
    const { chat, model, page, quickInput } = workbench;
    await runPrompt();
    await quickInput.pick('Edit First');
    await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('And no museums.');
    await workbench.waitForEditorText('And no museums.');
    await page.locator('.editor-group-container.active .editor-actions [aria-label^="Send to @portico"]').click();
    await chat.waitForInput('@portico', draft);
    await model.script({ say: 'None.' });
    await chat.sendInput();
    await chat.waitForAnswer('None.');
    assert.match(JSON.stringify((await model.requests()).at(-1)?.messages), /And no museums\./);
  });

  it('sends labelled text to the chat of the editor', async () => {
    const { chat, model, quickInput } = workbench;
    await runPrompt();
    await quickInput.pick('Send to Chat');
    await chat.waitForInput('Plan a vacation in Barcelona', 'Barcelona.md');
    await model.script({ say: 'Read.' });
    await chat.sendInput();
    await chat.waitForAnswer('Read.');
    const heard = JSON.stringify((await model.requests()).at(-1)?.messages);
    for (const text of ['User: Plan a vacation in Barcelona', `Assistant: I start from the plan`, '- architecture']) {
      assert.ok(heard.includes(text), `${text} in ${heard}`);
    }
  });

  it('inserts at the cursor', async () => {
    const { page, quickInput } = workbench;
    await workbench.openFile('notes.txt', 'Notes:');
    await page.keyboard.press('ControlOrMeta+End');
    await runPrompt();
    await quickInput.pick('Insert at Cursor');
    const text = await workbench.waitForEditorText('User: Plan a vacation in Barcelona');
    assert.ok(text.startsWith('Notes:\n'), text);
    assert.ok(text.includes(scenarioNonce(workbench, 'plan-vacation')), text);
  });

  it('copies', async () => {
    const { quickInput } = workbench;
    await runPrompt();
    await quickInput.pick('Copy');
    const nonce = scenarioNonce(workbench, 'plan-vacation');
    await until('the clipboard', async () => (await workbench.clipboard()).includes(nonce));
  });

  it('keeps the draft and sends nothing when nobody says where to', async () => {
    const { chat, quickInput } = workbench;
    await runPrompt();
    await quickInput.cancel();
    await workbench.waitForEditorText('Plan a vacation in Barcelona');
    assert.equal((await chat.input.innerText()).includes('Plan'), false);
  });

  it('runs from its row in the Servers view', async () => {
    const { quickInput, tree } = workbench;
    await tree.expand('travel, ready');
    await tree.expandGroup('Prompts');
    await tree.action('Plan a vacation', 'Run Prompt');
    await quickInput.waitForTitle(step('destination *'));
    await quickInput.cancel();
  });
});
