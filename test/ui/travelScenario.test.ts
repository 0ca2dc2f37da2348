import assert from 'node:assert/strict';
import { calledTools, fillInVacation, scenarioLog, scenarioNonce, scenarioServers } from './driver/scenario';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

// The example of the MCP documentation, "Bringing Servers Together", as one story: each test goes on where the one
// before it ended.
const calls = [
  ['travel', 'searchFlights', { origin: 'NYC', destination: 'Barcelona', date: '2024-06-15' }],
  ['weather', 'checkWeather', { city: 'Barcelona', date: '2024-06-15' }],
  ['travel', 'bookFlight', { flight: 'the first of them' }],
  ['calendar', 'createCalendarEvent', { title: 'Barcelona Trip', startDate: '2024-06-15', endDate: '2024-06-22' }],
  ['calendar', 'sendEmail', { to: 'team@example.com', subject: 'Out of office', body: 'Back on the 23rd.' }],
] as const;
const resources = ['Travel preferences, Markdown, from weather', 'June 2024, plain text, from calendar'];

describe('travel scenario', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({ settings: { 'portico.servers': scenarioServers } });
    await workbench.openPortico();
    await workbench.runCommand('Portico: Start All Servers');
    for (const key of Object.keys(scenarioServers)) {
      await workbench.tree.of('Servers').row(`${key}, ready`).waitFor();
    }
    await workbench.chat.open('ask');
  });
  after(() => workbench.close());

  it('runs the prompt from the palette, with what the server proposes', async () => {
    const { chat, quickInput } = workbench;
    await workbench.runCommand('Portico: Run Prompt…');
    await quickInput.pick('Plan a vacation');
    await quickInput.waitForTitle('destination *');
    await quickInput.type('barc');
    await quickInput.pick('Barcelona');
    await fillInVacation(quickInput);
    await quickInput.pick('Send to @portico');
    await chat.waitForInput('@portico', 'Plan a vacation');
    const [request, ...more] = scenarioLog(workbench).filter(({ method }) => method === 'prompts/get');
    assert.deepEqual(more, []);
    assert.deepEqual(request?.params?.arguments, {
      destination: 'Barcelona',
      duration: '7',
      interests: 'architecture',
      budget: '3000',
    });
  });

  it('attaches resources of the two other servers', async () => {
    const { chat, tree } = workbench;
    await tree.openView('Resources');
    const view = tree.of('Resources');
    for (const row of ['weather, 1 resource', 'travel://preferences', 'calendar, 1 resource', 'calendar://']) {
      await view.expand(row);
    }
    const [first = '', second = ''] = resources;
    await view.select(first, second);
    await view.contextMenu(second, 'Add to Chat');
    await chat.waitForInput('@portico', 'Plan a vacation', 'europe', 'June-2024');
  });

  it('gives @portico the prompt with its roles and both resources', async () => {
    const { chat, model } = workbench;
    await model.script(...calls.map(([server, tool, args]) => ({ call: [{ tool: `${server}_${tool}`, args }] })), {
      say: 'All is booked:\n\n{{results}}',
    });
    await chat.sendInput();
    await chat.approvalButton('Allow Once', 0).waitFor();
    const heard =
      (await model.requests())[0]?.messages.map(({ role, parts }) => `${role} ${JSON.stringify(parts)}`) ?? [];
    for (const [role, text] of [
      ['user', 'Plan a vacation in Barcelona for 7 days. Interests: architecture. Budget: 3000.'],
      ['assistant', scenarioNonce(workbench, 'plan-vacation')],
      ['user', scenarioNonce(workbench, 'preferences')],
      ['user', scenarioNonce(workbench, 'June-2024')],
    ] as const) {
      assert.ok(
        heard.some((message) => message.startsWith(role) && message.includes(text)),
        `${role}: ${text} in ${heard.join('\n')}`,
      );
    }
  });

  for (const [index, [server, tool]] of calls.entries()) {
    it(`asks before ${tool} of ${server}`, async () => {
      const { chat, model } = workbench;
      await until('the turn', async () => (await model.requests()).length === index + 1);
      const question = chat.responses.last().filter({ hasText: `Allow ${tool} of ${server}?` });
      await question.waitFor();
      const before = calledTools(workbench, server);
      assert.equal(before.includes(tool), false);
      await chat.approvalButton('Allow Once', index).click();
      await until('the call', () => calledTools(workbench, server).length === before.length + 1);
      assert.deepEqual(calledTools(workbench, server), [...before, tool]);
      if (tool === 'bookFlight') {
        await answerForm();
      }
    });
  }

  /** By keyboard alone. */
  async function answerForm(): Promise<void> {
    const { form, page } = workbench;
    await form.frame.locator('#about:focus').waitFor();
    assert.equal(await form.frame.locator('h1').innerText(), 'The server “travel” asks');
    assert.equal(await form.frame.locator('#about').innerText(), 'Which seat on flight the first of them?');
    await page.keyboard.press('Tab');
    await form.waitForFocus('Seat');
    await page.keyboard.type('window');
    await page.keyboard.press('Tab');
    await form.waitForFocus('Meal');
    await page.keyboard.type('no nuts');
    await page.keyboard.press('Tab');
    await form.waitForFocus('Book it');
    await page.keyboard.press('Space');
    await form.waitForPreview({ seat: 'window', meal: 'no nuts', confirm: true });
    await workbench.screenshot('scenario-form');
    await page.keyboard.press('Control+Enter');
  }

  it('answers with what only the servers could know', async () => {
    const { chat } = workbench;
    const answer = await chat.waitForAnswer('All is booked');
    for (const [, tool] of calls) {
      const nonce = scenarioNonce(workbench, tool);
      assert.ok(answer.includes(nonce), `${tool}: ${nonce} in ${answer}`);
    }
    await workbench.screenshot('scenario');
  });

  it('left a record of each call on every side', async () => {
    const { tree } = workbench;
    assert.deepEqual(calledTools(workbench, 'travel'), ['searchFlights', 'bookFlight']);
    assert.deepEqual(calledTools(workbench, 'weather'), ['checkWeather']);
    assert.deepEqual(calledTools(workbench, 'calendar'), ['createCalendarEvent', 'sendEmail']);
    await tree.openView('Activity');
    for (const [server, tool] of calls) {
      await tree.row(`${tool}, done, server ${server}, by @portico`).first().waitFor();
    }
    await workbench.notifications.waitForNone();
  });
});
