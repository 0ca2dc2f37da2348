import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fixtureServer } from './driver/servers';
import { Workbench } from './driver/workbench';

describe('elicitation of a page', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: {
        'portico.servers': { bank: fixtureServer('bank'), quiet: fixtureServer('bank', 'silent') },
      },
    });
    await workbench.openPortico();
    for (const server of ['bank', 'quiet']) {
      await workbench.tree.action(`${server}, stopped`, 'Start Server');
      await workbench.tree.row(`${server}, ready`).waitFor();
    }
  });
  after(() => workbench.close());
  // The answers of the test before would do for those of the next.
  beforeEach(() => workbench.execute('workbench.action.closeAllEditors'));

  const run = async (server: string, tool: string): Promise<void> => {
    workbench.begin('portico.runTool', { server, tool });
    await workbench.answerByKeyboard('Run');
  };
  const asked = (heading: string): Promise<void> => workbench.form.frame.locator('h1', { hasText: heading }).waitFor();
  const button = (id: 'submit' | 'other' | 'close') => workbench.form.frame.locator(`#${id}`);
  const gone = (): Promise<void> =>
    workbench.page.locator('.tab', { hasText: / (asks|waits)$/ }).waitFor({ state: 'detached' });
  /** Lets the page open in the browser; gives it once it was loaded. */
  const openPage = async (): Promise<Page> => {
    const opened = workbench.page.context().waitForEvent('page');
    await button('submit').click();
    const page = await opened;
    await page.locator('text=Thank you').waitFor();
    return page;
  };
  const visits = async (server: string): Promise<readonly string[]> => {
    await run(server, 'visits');
    return (await workbench.waitForEditorJson('[')) as string[];
  };

  it('shows the whole address, opens it by a click and not by a key, and goes when the server has what it wants', async () => {
    const { form, page } = workbench;
    await run('bank', 'connect');
    await asked('The server “bank” asks you to open a page');
    await form.frame.locator('#about:focus').waitFor();
    const address = await form.frame.locator('#page').innerText();
    assert.match(address, /^http:\/\/localhost:\d+\/connect\?back=%2Fhome%3Fa%3Db&note=a\+b$/);
    assert.match(await form.frame.locator('#page strong').innerText(), /^localhost:\d+$/);
    assert.equal(await form.frame.locator('#page a, #about a').count(), 0);
    assert.equal(await form.frame.locator('#warning').innerText(), 'The page is on this computer, not on the web.');
    assert.equal(await form.frame.locator('#preview').isVisible(), false);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    assert.equal(page.context().pages().length, 1);

    const opened = await openPage();
    await opened.close();
    await workbench.waitForEditorText('the account is there');
    await gone();
    const [path, ...more] = await visits('bank');
    assert.match(String(path), /\/connect\?back=%2Fhome%3Fa%3Db&note=a\+b$/);
    assert.deepEqual(more, []);
  });

  it('tells a no from a question that was closed, and opens nothing', async () => {
    await run('bank', 'connect');
    await asked('The server “bank” asks you to open a page');
    await button('other').click();
    await workbench.waitForEditorText('not connected: decline');
    await gone();
    await run('bank', 'connect');
    await workbench.form.frame.locator('#about:focus').waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.waitForEditorText('not connected: cancel');
    await gone();
    assert.deepEqual(await visits('bank'), []);
  });

  it('is made before a call that needs it, which then goes on by itself', async () => {
    await run('bank', 'balance');
    await asked('The server “bank” asks you to open a page');
    await (await openPage()).close();
    await workbench.waitForEditorText('12 ducats');
    await gone();
  });

  it('is made before a call that needs it, which the person has sent again', async () => {
    const { form } = workbench;
    await run('quiet', 'balance');
    await asked('The server “quiet” asks you to open a page');
    await (await openPage()).close();
    await asked('The server “quiet” waits for you');
    assert.equal(await button('submit').innerText(), 'Retry');
    await workbench.screenshot('elicitation-page-waits');
    const again = workbench.page.context().waitForEvent('page');
    await button('other').click();
    await (await again).close();
    await asked('The server “quiet” waits for you');
    await form.frame.locator('#submit').click();
    await workbench.waitForEditorText('12 ducats');
    await gone();
  });

  it('warns of an address that misleads, and stays when the editor does not open it', async () => {
    const { form, page } = workbench;
    await run('bank', 'trick');
    await asked('The server “bank” asks you to open a page');
    const warning = await form.frame.locator('#warning').innerText();
    assert.match(warning, /reads “login\.аррӏе\.com”, but is login\.xn--80ak6aa92e\.com/);
    assert.match(warning, /The page is at login\.xn--80ak6aa92e\.com:8443/);
    assert.match(warning, /It uses port 8443/);
    assert.equal(await form.frame.locator('#page strong').innerText(), 'login.xn--80ak6aa92e.com:8443');
    assert.equal(
      await form.frame.locator('#about').innerText(),
      'Sign in at [bank.example](https://bank.example) <b>now</b>',
    );
    await workbench.screenshot('elicitation-page');
    await button('submit').click();
    // The editor's own question about addresses that it does not trust.
    await workbench.answer('Cancel');
    await form.frame.locator('#alert', { hasText: 'The page was not opened.' }).waitFor();
    await button('close').click();
    await workbench.waitForEditorText('tricked: cancel');
    await gone();
    assert.equal(page.context().pages().length, 1);
  });
});
