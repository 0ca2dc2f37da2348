import assert from 'node:assert/strict';
import { type FixtureServer, startFixture } from '../harness/httpFixture';
import { realServer } from './driver/servers';
import { Workbench } from './driver/workbench';

describe('tasks', () => {
  let far: FixtureServer;
  let workbench: Workbench;
  before(async () => {
    far = await startFixture('tasksHttp.mjs');
    const servers = { far: { url: far.url }, everything: realServer('everything', 'stdio') };
    workbench = await Workbench.open({ settings: { 'portico.servers': servers } });
    await workbench.openPortico();
    await workbench.tree.action('far, stopped', 'Start Server');
    await workbench.tree.row('far, ready').waitFor();
    await workbench.tree.expand('far, ready');
    await workbench.tree.expandGroup('Tools');
  });
  after(async () => {
    await workbench.close();
    await far.close();
  });

  const run = async (): Promise<void> => {
    await workbench.execute('workbench.action.closeAllEditors');
    await workbench.tree.action('required, tool', 'Run Tool');
    await workbench.answer('Run');
    await workbench.tree.row('required, task, running, Half way').waitFor();
  };

  it('stand below their server, can be left to themselves, and their result is delivered', async () => {
    const { notifications, tree } = workbench;
    await run();
    await tree.row('tasks, 1 running').waitFor();
    await notifications.press('far: required', 'Cancel');
    assert.match(await workbench.modalText(), /required runs as a task of far.*It can go on without you/s);
    await workbench.screenshot('tasks-keepRunning');
    await workbench.answer('Keep Running');
    await tree.row('required, task, running').waitFor();
    await far.control('/finish');
    await tree.row('required, task, done').waitFor();
    await notifications.press('required of far has ended.', 'Show Result');
    await workbench.waitForEditorText('finished after');
  });

  it('can be cancelled from their row', async () => {
    const { tree } = workbench;
    await run();
    await tree.row('tasks, 1 running, 1 ended').waitFor();
    await tree.action('required, task, running', 'Cancel Task');
    await tree.row('required, task, cancelled').waitFor();
    await tree.openView('Activity');
    await tree.row('required, cancelled, server far, by Run Tool').waitFor();
  });

  it('of the real server show how far they are, and end with the result of the call', async () => {
    const { form, page, quickInput, tree } = workbench;
    await tree.action('everything, stopped', 'Start Server');
    await tree.row('everything, ready').waitFor();
    await workbench.runCommand('Portico: Run Tool…');
    await quickInput.type('simulate-research');
    await quickInput.pick('simulate-research-query');
    await form.waitForFocus('topic');
    await page.keyboard.type('porticos');
    await page.keyboard.press('Control+Enter');
    await form.frame.locator('#status').getByText('…').or(form.frame.getByText('...')).first().waitFor();
    await workbench.waitForEditorText('Research Report: porticos');
    await tree.expand('everything, ready');
    await tree.row('tasks, 1 ended').waitFor();
    await workbench.screenshot('tasks');
    await tree.collapse('everything, ready');
  });

  it('are taken up after a reload', async () => {
    const { notifications, tree } = workbench;
    await run();
    await workbench.reload();
    await workbench.openPortico();
    await tree.expand('far, ready');
    await tree.row('required, task, running, Half way').waitFor();
    await tree.openView('Activity');
    await tree.row('required, running, server far, by Run Tool').waitFor();
    await workbench.screenshot('tasks-reloaded');
    await far.control('/finish');
    await tree.row('required, task, done').waitFor();
    await tree.row('required, done, server far, by Run Tool').first().waitFor();
    await notifications.press('required of far has ended.', 'Show Result');
    await workbench.waitForEditorText('finished after');
  });
});
