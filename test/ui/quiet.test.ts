import assert from 'node:assert/strict';
import { listeningPorts } from './driver/listeningPorts';
import { fixtureServer } from './driver/servers';
import { Workbench } from './driver/workbench';

const failing = fixtureServer('exitAtOnce');
const names = ['one', 'two', 'three', 'four', 'five'];
const settings = { 'portico.servers': Object.fromEntries(names.map((name) => [name, failing])) };

describe('a quiet window', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      files: { 'notes.txt': 'a note' },
      install: 'vsix',
      smokeDriver: false,
      settings,
    });
  });
  after(() => workbench.close());

  async function assertQuiet(): Promise<void> {
    const { page } = workbench;
    assert.deepEqual(await page.evaluate('window.seenToasts'), []);
    assert.equal(await page.locator('.part.panel').isVisible(), false);
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    assert.ok((await workbench.tabs()).every((tab) => tab === 'notes.txt'));
    // Forwarded ports are those of any program of the machine; none may be Portico's.
    assert.deepEqual(listeningPorts(workbench.server.processes()), [workbench.server.port]);
  }

  it('runs the packaged extension', async () => {
    const installed: string[] = await workbench.server.installed();
    assert.ok(
      installed.some((line) => line.startsWith('portico-mcp.portico@')),
      installed.join(),
    );
  });

  it('tells five background failures by the badge alone', async () => {
    const { page } = workbench;
    await workbench.openFile('notes.txt', 'a note');
    await page.evaluate(watch);
    await page.evaluate('window.focused = document.activeElement, true');
    assert.equal(await workbench.badge(), '');
    await workbench.execute('scriptedModel.updateSetting', 'portico.start', 'onOpen');
    await workbench.waitForBadge('5');
    assert.equal(await page.evaluate('document.activeElement === window.focused'), true);
    await assertQuiet();
    await workbench.screenshot('quiet');
  });

  it('is as quiet after a reload', async () => {
    // What pops up from the first moment of the next window on counts.
    await workbench.page.addInitScript({ content: watch });
    await workbench.reload();
    await workbench.waitForBadge('5');
    await assertQuiet();
  });

  it('has them all in the view', async () => {
    await workbench.openPortico();
    await workbench.tree.row('five, failed').waitFor();
    assert.deepEqual(
      await workbench.tree.labels(),
      names.map((name) => `${name}, failed: DATABASE_URL is not set`),
    );
  });
});

/** Runs in the page: texts of all toasts since it was loaded. */
const watch = `
  window.seenToasts = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLElement && node.matches('.notification-toast, .notification-toast-container')) {
        window.seenToasts.push(node.innerText);
      }
    }
  }).observe(document, { childList: true, subtree: true });
`;
