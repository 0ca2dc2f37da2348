import assert from 'node:assert/strict';
import { fixtureServer, realServer } from './driver/servers';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

describe('elicitation', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      // So low that a long question does not go into it whole.
      size: { width: 1400, height: 900 },
      settings: {
        'portico.servers': {
          tables: fixtureServer('asking'),
          later: fixtureServer('asking', 'stateless'),
          everything: realServer('everything', 'stdio'),
        },
      },
    });
    await workbench.openPortico();
    for (const server of ['tables', 'later', 'everything']) {
      await workbench.tree.action(`${server}, stopped`, 'Start Server');
      await workbench.tree.row(`${server}, ready`).waitFor();
    }
  });
  after(() => workbench.close());
  // The answers of the test before would do for those of the next.
  beforeEach(() => workbench.execute('workbench.action.closeAllEditors'));

  /** Runs a tool without arguments, and waits until its question has the keyboard. */
  const askedBy = async (server: string, tool: string): Promise<void> => {
    workbench.begin('portico.runTool', { server, tool });
    await workbench.answerByKeyboard('Run');
    await workbench.form.frame.locator('#about:focus').waitFor();
  };
  const gone = async (): Promise<void> => {
    await workbench.page.locator('.tab', { hasText: ' asks' }).waitFor({ state: 'detached' });
  };

  for (const server of ['tables', 'later']) {
    it(`is answered, declined and closed by keyboard alone, and the server is told which (${server})`, async () => {
      const { form, page } = workbench;
      await askedBy(server, 'reserve');
      assert.equal(await form.frame.locator('h1').innerText(), `The server “${server}” asks`);
      assert.equal(await form.frame.locator('#about').innerText(), 'Which table shall it be?');
      await form.waitForPreview({ guests: 2, outside: true });
      // Keys that were meant for something else do not answer.
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await form.waitForFocus('name');
      await page.keyboard.type('Ada');
      await page.keyboard.press('Tab');
      await form.retype('guests', '11');
      await page.keyboard.press('Control+Enter');
      assert.equal(await form.errorOf('guests'), 'At most 10, please.');
      await form.retype('guests', '4');
      await form.waitForPreview({ name: 'Ada', guests: 4, outside: true });
      await page.keyboard.press('Control+Enter');
      assert.deepEqual(await workbench.waitForEditorJson('"action": "accept"'), {
        action: 'accept',
        content: { name: 'Ada', guests: 4, outside: true },
      });
      await gone();

      await askedBy(server, 'reserve');
      await form.waitForPreview({ guests: 2, outside: true });
      await form.frame.locator('#other').focus();
      await page.keyboard.press('Enter');
      await workbench.waitForEditorText('"action": "decline"');
      await gone();

      await askedBy(server, 'reserve');
      await page.keyboard.press('Escape');
      await workbench.waitForEditorText('"action": "cancel"');
      await gone();
    });
  }

  it('shows every kind of field that the reference server asks for', async () => {
    const { form, page } = workbench;
    await askedBy('everything', 'trigger-elicitation-request');
    await until(
      'the default',
      async () => (await form.field('Untitled Single Select Enum').inputValue()) === '"Monica"',
    );
    assert.equal(await form.frame.locator('#warning').isVisible(), false);
    await workbench.screenshot('elicitation-form');
    await page.keyboard.press('Escape');
    await gone();
  });

  it('has a control for every kind of field, says what is wrong at the field, and keeps what was typed while it is hidden', async () => {
    const { form, page } = workbench;
    await askedBy('tables', 'everyKind');
    const defaults = {
      mail: 'ada@example.com',
      day: '2026-12-24',
      count: 3,
      sure: true,
      plain: 'green',
      titledSeveral: ['y'],
    };
    await form.waitForPreview(defaults);
    await form.field('Code').fill('ab');
    await form.field('Site').fill('nowhere');
    await page.keyboard.press('Control+Enter');
    assert.equal(await form.errorOf('Name'), 'A value is required.');
    await form.waitForFocus('Name');
    await form.field('Name').fill('Ada');
    await form.field('Titled choice').selectOption({ label: 'Green' });
    await form.frame.getByLabel('b', { exact: true }).check();
    await form.field('Sure').uncheck();
    await form.field('Mail').fill('');
    await page.keyboard.press('Control+Enter');
    assert.match(await form.errorOf('Code'), /pattern/);
    assert.match(await form.errorOf('Site'), /uri/);
    await workbench.screenshot('elicitation-every-kind');

    await workbench.execute('workbench.action.files.newUntitledFile');
    await form.frame.locator('h1').waitFor({ state: 'detached' });
    await page.locator('.tab', { hasText: 'tables asks' }).click();
    await form.frame.locator('#about:focus').waitFor();
    assert.equal(await form.field('Name').inputValue(), 'Ada');
    await form.field('Code').fill('ABC');
    await form.field('Site').fill('https://example.com/');
    await form.field('Moment').fill('2026-12-24T18:00:00Z');
    const { mail: _cleared, ...kept } = defaults;
    const answer = {
      name: 'Ada',
      site: 'https://example.com/',
      moment: '2026-12-24T18:00:00Z',
      code: 'ABC',
      titled: '#0f0',
      several: ['b'],
    };
    await form.waitForPreview({ ...kept, ...answer, sure: false });
    await form.frame.locator('#submit').click();
    assert.deepEqual(await workbench.waitForEditorJson('"action": "accept"'), {
      action: 'accept',
      content: { ...kept, ...answer, sure: false },
    });
    await gone();
  });

  for (const [look, theme, width] of [
    ['light', 'light', 1400],
    ['dark', 'dark', 1400],
    ['high-contrast', 'highContrast', 1400],
    ['narrow', 'light', 640],
  ] as const) {
    it(`shows every kind of field: ${look}`, async () => {
      const { form, page } = workbench;
      await workbench.useTheme(theme);
      // High enough for all of them, with what is wrong.
      await page.setViewportSize({ width, height: 1900 });
      await askedBy('tables', 'everyKind');
      await form.field('Site').fill('nowhere');
      await form.field('Name').fill('Ada');
      await form.field('Titled choice').selectOption({ label: 'Green' });
      await form.frame.getByLabel('b', { exact: true }).check();
      await page.keyboard.press('Control+Enter');
      assert.match(await form.errorOf('Site'), /uri/);
      await workbench.screenshot(`elicitation-every-kind-${look}`);
      await page.keyboard.press('Escape');
      await gone();
      await page.setViewportSize({ width: 1400, height: 900 });
      await workbench.useTheme('light');
    });
  }

  it('keeps the ways out in sight, however much a server says', async () => {
    const { form, page } = workbench;
    await askedBy('tables', 'wordy');
    const inSight = async (id: string): Promise<boolean> =>
      form.frame.locator(id).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= element.ownerDocument.documentElement.clientHeight;
      });
    for (const id of ['h1', '#submit', '#other', '#close']) {
      assert.equal(await inSight(id), true, id);
    }
    const fields = await form.frame.locator('.field').evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
    assert.ok(Math.max(...fields) < 500, fields.join());
    await workbench.screenshot('elicitation-wordy');
    await page.keyboard.press('Escape');
    await gone();
  });

  it('warns of a field that looks like a secret, and stays inert', async () => {
    const { form, page } = workbench;
    await askedBy('tables', 'pay');
    assert.match(await form.frame.locator('#warning').innerText(), /^“Card number” looks like a secret\./);
    assert.equal(await form.frame.locator('#about').innerText(), 'Pay [here](command:x) <b>now</b>');
    assert.equal(await form.frame.locator('#about *, a').count(), 0);
    await workbench.screenshot('elicitation-secret');
    await page.keyboard.press('Escape');
    await gone();
  });
});
