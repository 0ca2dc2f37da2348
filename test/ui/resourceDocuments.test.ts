import { fixtureServer } from './driver/servers';
import { Workbench } from './driver/workbench';

const odd = fixtureServer('oddResources');

describe('resource documents', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({ settings: { 'portico.servers': { odd } } });
    await workbench.openPortico();
    await workbench.tree.action('odd, stopped', 'Start Server');
    await workbench.tree.row('odd, ready').waitFor();
  });
  after(() => workbench.close());
  afterEach(() => workbench.execute('workbench.action.closeAllEditors'));

  async function runLinks(): Promise<void> {
    const run = workbench.execute('portico.runTool', { server: 'odd', tool: 'links' });
    await workbench.answer('Run');
    await run;
    await workbench.waitForEditorText('Resource link');
  }

  it('are opened by the links of a result, in the preview', async () => {
    await runLinks();
    await workbench.execute('markdown.showPreview');
    await workbench.webview().getByRole('link', { name: 'The [odd] one' }).click();
    await workbench.webview().getByText('odd: x://h/a?q=1').waitFor();
  });

  it('are opened by the links of a result, in its text', async () => {
    await runLinks();
    await workbench.followLink('a.md');
    await workbench.waitForEditorText('odd: x://h/a?q=1');
    await workbench.waitForTabs(['links · odd.md', 'a.md']);
  });

  it('of a restored tab say why they are not there, and load once their server runs', async () => {
    const { page } = workbench;
    await workbench.execute('portico.openResource', { server: 'odd', uri: 'urn:x:1' });
    await workbench.waitForEditorText('urn:x:1');
    await workbench.execute('scriptedModel.updateSetting', 'portico.servers', {});
    await workbench.reload();
    await workbench.waitForEditorText('There is no server "odd".');
    await page.locator('.codelens-decoration a', { hasText: 'Try Again' }).waitFor();
    await workbench.screenshot('restored-resource');
    await workbench.execute('scriptedModel.updateSetting', 'portico.servers', { odd });
    await page.locator('.codelens-decoration a', { hasText: 'Start odd' }).click();
    await workbench.waitForEditorText('odd: urn:x:1');
    await workbench.screenshot('resource-text');
    await workbench.waitForTabs(['urn-x-1']);
  });
});
