import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Protected, startProtectedServer } from '../fixtures/authorization/protectedServer.mjs';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

describe('signing in', () => {
  let files: Protected;
  let broken: Protected;
  let workbench: Workbench;
  before(async () => {
    files = await startProtectedServer();
    broken = await startProtectedServer({
      instead: (_, path) => (path.startsWith('/.well-known/') ? [200, '<!DOCTYPE html>'] : undefined),
    });
    workbench = await Workbench.open({
      settings: {
        'portico.start': 'onOpen',
        'portico.servers': { files: { url: files.url }, broken: { url: broken.url } },
      },
    });
    await workbench.openPortico();
  });
  after(async () => {
    await workbench.close();
    await Promise.all([files.close(), broken.close()]);
  });

  /** Goes through the question of the editor by keyboard, and gives the page that opened in the browser. */
  const openBrowser = async (): Promise<Page> => {
    const opened = workbench.page.waitForEvent('popup');
    await workbench.answerByKeyboard('Open Browser');
    return opened;
  };
  /** What a person does on the pages of the authorization server, and where the browser ends. */
  const agree = async (browser: Page, name: string): Promise<string> => {
    if (await isAsked(browser)) {
      await browser.fill('input[name=login]', name);
      await browser.fill('input[name=password]', 'any');
      await browser.click('button[type=submit]');
    }
    await browser.click('button:has-text("Continue")');
    await browser.getByText('You can close this page').waitFor();
    const end = browser.url();
    await browser.close();
    return end;
  };
  const isAsked = async (browser: Page): Promise<boolean> => {
    await browser.locator('button[type=submit]').waitFor();
    return (await browser.locator('input[name=login]').count()) > 0;
  };
  const whoami = async (): Promise<string> => {
    workbench.begin('portico.runTool', { server: 'files', tool: 'whoami' });
    await workbench.answerByKeyboard('Run');
    return workbench.waitForEditorText('ada');
  };

  it('is asked for by the row alone when it is needed in the background', async () => {
    const { tree } = workbench;
    await tree.row('files, sign in required').waitFor();
    await tree.waitForActions('files, sign in required', [
      'Sign In…',
      'Show Server Log…',
      'Edit Server Configuration…',
    ]);
    assert.match(await tree.tooltip('files, sign in required'), /^files — sign in required/);
    await workbench.waitForBadge('2');
    await workbench.statusItem('2 need you').waitFor();
    await workbench.screenshot('sign-in-required');
    await workbench.notifications.waitForNone();
  });

  it('goes from the row to the browser and back, by keyboard, and the server is used', async () => {
    const { page, quickInput, tree } = workbench;
    await page.keyboard.press('F1');
    await quickInput.waitForPlaceholder('Type the name of a command');
    await quickInput.type('>Portico: Sign In…');
    await quickInput.focus('Portico: Sign In…');
    await quickInput.accept();
    await quickInput.waitForTitle('Sign In');
    await quickInput.focus('files');
    await quickInput.accept();
    await workbench.modalButton('Open Browser').waitFor();
    const question = await workbench.modalText();
    assert.ok(question.includes(`Sign in to "files" at ${new URL(files.issuer).host}?`), question);
    assert.ok(question.includes(`Server: ${files.url}`), question);
    await workbench.screenshot('sign-in-question');
    const end = await agree(await openBrowser(), 'ada');
    // The editor in a browser has an address of its own to come back to.
    assert.match(end, /\/callback\?vscode-reqid=/);
    await tree.row('files, ready, 2 tools').waitFor();
    assert.match(await tree.tooltip('files, ready'), /ada|Account/);
    assert.match(await whoami(), /"text": "ada"|^ada/);
  });

  it('outlives a reload, and ends with Sign Out', async () => {
    const { tree } = workbench;
    await workbench.reload();
    await workbench.openPortico();
    await tree.row('files, ready').waitFor();
    await workbench.runCommand('Portico: Sign Out…');
    await workbench.quickInput.pick('files');
    // It stops, starts as it is to run while the window is open, and has no account then.
    await tree.row('files, sign in required').waitFor();
    await until('the revocation', () => files.requests.includes('POST /token/revocation'));
    await tree.contextMenu('files, sign in required', 'Sign Out…');
    await workbench.notifications.waitFor('You are not signed in to "files".');
  });

  it('comes to nothing when the person gives up, and says nothing of it', async () => {
    const { tree } = workbench;
    await workbench.notifications.clear();
    workbench.begin('portico.signIn', 'files');
    const browser = await openBrowser();
    await browser.close();
    await workbench.notifications.press('Sign in to "files" in your browser', 'Cancel');
    await workbench.notifications.waitForNone();
    workbench.begin('portico.signIn', 'files');
    await workbench.modalButton('Open Browser').waitFor();
    await workbench.dismiss();
    await tree.row('files, ').waitFor();
    await workbench.notifications.waitForNone();
  });

  it('is diagnosed step by step, up to the one that fails', async () => {
    const { tree, page } = workbench;
    await tree.contextMenu('broken, sign in required', 'Diagnose Sign-In…');
    const doctor = workbench.webview();
    await doctor.locator('#summary', { hasText: 'It stops at' }).waitFor();
    const steps = await doctor.locator('.step').evaluateAll((all) => all.map((step) => step.className));
    const failed = steps.filter((name) => name.includes('outcome-failed'));
    assert.equal(failed.length, 1, steps.join());
    const stop = doctor.locator('.step.outcome-failed');
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      assert.ok((await stop.innerText()).includes(`${broken.issuer}/.well-known/${path}`), await stop.innerText());
    }
    await stop.locator('.advice').waitFor();
    await workbench.execute('notifications.hideList');
    await workbench.screenshot('auth-doctor');
    await doctor.getByRole('button', { name: 'Copy as Text' }).focus();
    await page.keyboard.press('Enter');
    await doctor.getByText('Copied.').waitFor();
    const text = await workbench.clipboard();
    assert.ok(text.startsWith(`Sign-in of broken, ${broken.url}\nIt stops at`), text);
  });

  it('is found to work where nothing is broken', async () => {
    await workbench.execute('portico.diagnoseSignIn', 'files');
    await workbench.webview().getByText('All steps up to the browser work').waitFor();
  });
});
