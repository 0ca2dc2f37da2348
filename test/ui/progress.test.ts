import { fixtureServer } from './driver/servers';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

describe('progress', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({ settings: { 'portico.servers': { half: fixtureServer('halfWay') } } });
    await workbench.openPortico();
    await workbench.tree.action('half, stopped', 'Start Server');
    await workbench.tree.row('half, ready').waitFor();
  });
  after(() => workbench.close());

  /** Sees how far it is, cancels it, and sees it go. */
  async function seeAndCancel(title: string, picture: string): Promise<void> {
    const { notifications } = workbench;
    await notifications.find(`${title}: Step 5 (5 of 10)`);
    const bar = workbench.page.locator('.notifications-center .progress-bit').first();
    await until('half of the bar', async () => /width: 50%/.test((await bar.getAttribute('style')) ?? ''));
    await workbench.screenshot(picture);
    await notifications.press(title, 'Cancel');
    await until('no progress', async () => !(await notifications.texts()).some((text) => text.startsWith(title)));
    await notifications.clear();
  }

  it('of a call shows its message, how far it is, and a way to stop it', async () => {
    const running = workbench.execute('portico.runTool', { server: 'half', tool: 'work' });
    await workbench.answer('Run');
    await seeAndCancel('half: work', 'progress-call');
    await running;
    await workbench.tree.openView('Activity');
    await workbench.tree.row('work, cancelled').waitFor();
  });

  it('of a prompt and of a read too', async () => {
    const getting = workbench.execute('portico.runPrompt', { server: 'half', prompt: 'plan' });
    await seeAndCancel('half — plan', 'progress-prompt');
    await getting;
    const reading = workbench.execute('portico.openResource', { server: 'half', uri: 'half://way' });
    await seeAndCancel('Reading way of half', 'progress-read');
    await reading;
  });
});
