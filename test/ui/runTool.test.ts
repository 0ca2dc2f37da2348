import assert from 'node:assert/strict';
import { fixtureServer, realServer } from './driver/servers';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

/** Name and role of every part, as a screen reader finds them. */
const accessibleForm = `
- text: Subject subject required
- paragraph: In a few words At least 2 characters
- textbox "Subject subject required"
- text: Due due
- textbox "Due due"
- text: Access key key
- textbox "Access key key"
- text: Count count required
- paragraph: Whole number from 1 to 9
- textbox "Count count required": "3"
- checkbox "Urgent urgent"
- text: Urgent urgent Size size required
- combobox "Size size required":
  - option "Choose…" [selected]
  - option "small"
  - option "large"
- group "Colours colours":
  - text: Colours colours
  - checkbox "red"
  - text: red
  - checkbox "green"
  - text: green
- group "Tags tags":
  - text: Tags tags
  - button "Add to Tags"
- text: Extra extra
- paragraph: "JSON: object"
- textbox "Extra extra"`;

describe('run tool', () => {
  const servers = {
    everything: realServer('everything', 'stdio'),
    orders: fixtureServer('manyFields'),
    links: fixtureServer('linksInText'),
    endless: fixtureServer('endlessCall'),
  };
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: { 'portico.servers': servers },
    });
    await workbench.openPortico();
    await workbench.tree.action('everything, stopped', 'Start Server');
    await workbench.tree.row('everything, ready').waitFor();
  });
  after(() => workbench.close());

  it('fills the form by keyboard and shows the result', async () => {
    const { form, page, tree } = workbench;
    await tree.expand('everything, ready');
    await tree.expandGroup('Tools');
    await tree.action('Get Sum Tool, tool', 'Run Tool');
    await form.waitForFocus('a');
    await page.keyboard.type('1');
    await page.keyboard.press('Tab');
    await form.waitForFocus('b');
    await page.keyboard.type('2');
    await form.waitForPreview({ a: 1, b: 2 });
    await workbench.screenshot('runTool-form');
    await page.keyboard.press('Control+Enter');
    await workbench.waitForEditorText('The sum of 1 and 2 is 3.');
    await page.keyboard.type('x');
    await page.locator('.monaco-editor-overlaymessage', { hasText: 'read-only' }).waitFor();
    await workbench.screenshot('runTool-result');
  });

  it('runs again with one argument changed, and the records differ in it alone', async () => {
    const { form, page, tree } = workbench;
    await tree.openView('Activity');
    const row = 'get-sum, done, server everything, by Run Tool';
    await tree.action(row, 'Run Again');
    await form.waitForFocus('a');
    await form.waitForPreview({ a: 1, b: 2 });
    await page.keyboard.press('Tab');
    await form.waitForFocus('b');
    await form.retype('b', '5');
    await page.keyboard.press('Control+Enter');
    await workbench.waitForEditorText('The sum of 1 and 5 is 6.');
    await until('two calls', async () => (await tree.row(row).count()) === 2);
    const records: Record<string, unknown>[] = [];
    for (const at of [1, 0]) {
      await tree.row(row).nth(at).click();
      const record = await workbench.waitForEditorJson(at === 1 ? '"b": 2' : '"b": 5');
      records.push(record as Record<string, unknown>);
    }
    const [first, second] = records;
    assert.deepEqual(first?.['arguments'], { a: 1, b: 2 });
    assert.deepEqual(second?.['arguments'], { a: 1, b: 5 });
    for (const field of ['who', 'server', 'tool', 'outcome']) {
      assert.equal(second?.[field], first?.[field], field);
    }
    assert.equal(first?.['who'], 'Run Tool');
    await workbench.screenshot('activity');
  });

  it('asks for a single field in one box', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Portico: Run Tool…');
    await quickInput.type('echo');
    await quickInput.pick('echo');
    await quickInput.waitForTitle('everything — echo: message');
    await quickInput.type('ahoy');
    await quickInput.accept();
    await workbench.waitForEditorText('Echo: ahoy');
  });

  it('draws no link and no icon from what a server wrote', async () => {
    const { quickInput, tree } = workbench;
    await tree.action('links, stopped', 'Start Server');
    await tree.row('links, ready, 2 tools').waitFor();
    await workbench.runCommand('Portico: Run Tool…');
    await quickInput.type('linked');
    await quickInput.row('linked').waitFor();
    assert.equal(await quickInput.rows.locator('.codicon-trash').count(), 0);
    await quickInput.pick('linked');
    await quickInput.waitForTitle('links — linked: text');
    await quickInput.waitForMessage('See [click] (command:workbench.action.terminal.new) $ (trash)');
    assert.equal(
      await quickInput.widget.locator('.quick-input-message a, .quick-input-message .codicon-trash').count(),
      0,
    );
    await quickInput.cancel();
    await tree.collapse('everything, ready');
    await tree.expand('links, ready');
    await tree.expandGroup('Tools');
    const tooltip = await tree.tooltip('linked, tool');
    assert.match(tooltip, /See \[click\]\(command:.*\$\(trash\) at https:\/\/example\.com\/a_b/);
    assert.doesNotMatch(await tree.tooltipHtml('linked, tool'), /<a\b/);
  });

  it('writes out what nobody would see in the form', async () => {
    const { form, tree } = workbench;
    await tree.action('hidden, tool', 'Run Tool');
    await form.waitForFocus('text');
    assert.match(await form.tree(), /Ti\[U\+202E\]tle[\s\S]*in\[U\+200B\]visible/);
    assert.equal(await form.frame.locator('#about').innerText(), 'a[U+202E]b');
  });

  it('names every field, holds back a wrong form, and sends what it shows', async () => {
    const { form, page, tree } = workbench;
    await tree.collapse('links, ready');
    await tree.action('orders, stopped', 'Start Server');
    await tree.row('orders, ready, 1 tool').waitFor();
    await tree.expand('orders, ready');
    await tree.expandGroup('Tools');
    await tree.action('Order, tool', 'Run Tool');
    await form.waitForFocus('subject');
    assert.equal(`\n${await form.tree()}`, accessibleForm);
    await page.keyboard.press('Control+Enter');
    assert.equal(await form.errorOf('subject'), 'A value is required.');
    assert.equal(await form.errorOf('size'), 'A value is required.');
    await workbench.screenshot('runTool-manyFields');
    await form.waitForFocus('subject');
    await page.keyboard.type('Tea');
    await form.field('size').selectOption({ label: 'large' });
    await form.field('urgent').check();
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(await workbench.waitForEditorJson('"subject": "Tea"'), {
      subject: 'Tea',
      count: 3,
      urgent: true,
      size: 'large',
    });
  });

  it('says so when a changed entry ends a running call', async () => {
    const { notifications, quickInput, tree } = workbench;
    await tree.action('endless, stopped', 'Start Server');
    await tree.row('endless, ready, 1 tool').waitFor();
    await workbench.execute('notifications.clearAll');
    const running = workbench.execute('portico.runTool', { server: 'endless', tool: 'echo' });
    await workbench.answer('Run');
    await tree.openView('Activity');
    await tree.row('echo, running').waitFor();
    const endless = fixtureServer('endlessCall', 'changed');
    await workbench.execute('scriptedModel.updateSetting', 'portico.servers', { ...servers, endless });
    await tree.row('echo, failed').waitFor();
    await notifications.waitFor(/"endless" was (stopped|cut off)/);
    await until('no progress', async () => !(await notifications.texts()).includes('endless: echo'));
    await workbench.execute('notifications.clearAll');
    await running;
    await quickInput.widget.waitFor({ state: 'hidden' });
  });

  it('counts a call that waits for the person once', async () => {
    const { chat, model, tree } = workbench;
    await chat.open('ask');
    await model.script({ call: [{ tool: 'get-sum', args: { a: 2, b: 2 } }] }, { say: 'Done.' });
    await chat.send('@portico add two and two');
    await chat.confirmationButton('Deny').waitFor();
    await tree.row('get-sum, waits for you').waitFor();
    await workbench.waitForBadge('1');
    await chat.confirmationButton('Deny').click();
    await tree.row('get-sum, denied').waitFor();
    await workbench.waitForBadge('');
  });
});
