import assert from 'node:assert/strict';
import { fixtureServer } from './driver/servers';
import { Workbench } from './driver/workbench';

const simple = {
  message: 'Which table shall it be?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
};

describe('questions that a call of the chat leads to', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({ settings: { 'portico.servers': { tables: fixtureServer('asking') } } });
    await workbench.openPortico();
    await workbench.tree.action('tables, stopped', 'Start Server');
    await workbench.tree.row('tables, ready').waitFor();
    await workbench.chat.open();
  });
  after(() => workbench.close());

  const call = async (tool: string, args: object = {}): Promise<void> => {
    const { chat, model } = workbench;
    await model.script(
      { call: [{ tool: `mcp_tables_${tool}`, args: { ...args } }] },
      { say: 'It was told {{result}}.' },
    );
    await chat.send(`Call ${tool}`);
    await chat.confirmations.first().locator('.monaco-button', { hasText: 'Allow' }).first().click();
  };
  const carousel = () => workbench.page.locator('.interactive-session .chat-question-carousel-container:visible');

  it('are answered in the chat where they are short, and name the server', async () => {
    const { chat, page } = workbench;
    await call('ask', { params: simple });
    await carousel().filter({ hasText: '“tables” asks: Which table shall it be?' }).waitFor();
    await workbench.screenshot('elicitation-in-chat');
    await carousel().locator('input').fill('Ada');
    await page.keyboard.press('Control+Enter');
    const answer = await chat.waitForAnswer(/It was told .*"action"/s);
    assert.match(answer, /"action":\s*"accept"/);
    assert.match(answer, /"name":\s*"Ada"/);
    await workbench.waitForTabs([]);
  });

  it('are asked in a form of Portico where they want a secret, and the chat says where', async () => {
    const { chat, form, page } = workbench;
    await chat.clear();
    await call('pay');
    await form.frame.locator('#about:focus').waitFor();
    assert.equal(await carousel().count(), 0);
    await chat.responses.last().filter({ hasText: 'Waiting for you in “tables asks”' }).waitFor();
    await page.keyboard.press('Escape');
    assert.match(await chat.waitForAnswer(/It was told .*"action"/s), /"action":\s*"cancel"/);
  });
});
