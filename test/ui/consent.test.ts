import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realServer } from './driver/servers';
import { until, untilEqual } from './driver/until';
import { Workbench } from './driver/workbench';

const everything = realServer('everything', 'stdio');
const entry = (word: string): string =>
  JSON.stringify({ 'portico.servers': { slack: { ...everything, args: [...everything.args, word] } } }, undefined, 2);
const command = (...words: string[]): string => [everything.command, ...everything.args, ...words].join(' ');

describe('consent', () => {
  let workbench: Workbench;
  const dialogs = () => workbench.page.locator('.monaco-dialog-box');
  const processes = (): string[] =>
    workbench.server.processes().filter((line: string) => line.includes('server-everything'));
  before(async () => {
    workbench = await Workbench.open({
      files: { '.vscode/settings.json': entry('--quick') },
      settings: {
        'portico.servers': {
          keyed: {
            ...realServer('memory'),
            env: { API_KEY: '${input:api-key}' },
            inputs: [{ id: 'api-key', type: 'promptString', description: 'API_KEY', password: true }],
          },
        },
      },
    });
    await workbench.openPortico();
  });
  after(() => workbench.close());

  it('asks once, with the whole command', async () => {
    const { tree } = workbench;
    await tree.row('slack, not approved, from workspace settings').waitFor();
    assert.equal(await dialogs().count(), 0);
    await tree.action('slack, not approved', 'Review Server');
    await workbench.modalButton('Run Server').waitFor();
    assert.equal(await dialogs().count(), 1);
    const text = await workbench.modalText();
    assert.ok(text.includes('Run the server "slack"?'), text);
    assert.ok(text.includes(command('--quick')), text);
    assert.deepEqual(processes(), []);
    await workbench.screenshot('consent');
    await workbench.answerByKeyboard('Show Command');
    await workbench.waitForEditorText('--quick');
    assert.deepEqual(processes(), []);
    await tree.action('slack, not approved', 'Review Server');
    await workbench.answer('Run Server');
    await tree.row('slack, ready').waitFor();
    assert.equal(await dialogs().count(), 0);
    const before = processes();
    await tree.action('slack, ready', 'Restart Server');
    await until('one process, another one', () => processes().length === 1 && processes()[0] !== before[0]);
    await tree.row('slack, ready').waitFor();
    assert.equal(await dialogs().count(), 0);
  });

  it('asks again about what has changed, with the new word marked', async () => {
    const { quickInput, tree } = workbench;
    writeFileSync(join(workbench.folder, '.vscode', 'settings.json'), entry('--verbose'));
    await tree.row('slack, not approved').waitFor();
    await until('no process', () => processes().length === 0);
    await workbench.runCommand('Portico: Start Server…');
    await quickInput.pick('slack');
    await workbench.modalButton('Run Server').waitFor();
    assert.equal(await dialogs().count(), 1);
    const text = await workbench.modalText();
    assert.ok(text.includes('Run "slack" although it has changed?'), text);
    assert.ok(text.includes(command('«--verbose»')), text);
    assert.ok(text.includes('Before: --quick'), text);
    await workbench.screenshot('consent-changed');
  });

  it('keeps it off, and asks no more by itself', async () => {
    const { tree } = workbench;
    await workbench.answer('Keep Off');
    await tree.row('slack, not approved, kept off').waitFor();
    assert.equal(await dialogs().count(), 0);
    assert.deepEqual(processes(), []);
    await workbench.waitForBadge('');
  });

  it('asks for a secret under the names of server and variable, and keeps it', async () => {
    const { page, quickInput, tree } = workbench;
    await tree.action('keyed, stopped', 'Start Server');
    await quickInput.waitForTitle('keyed — API_KEY');
    assert.equal(await quickInput.isSecret(), true);
    await quickInput.waitForMessage(/api-key for keyed, kept in the secret store/);
    await workbench.screenshot('secret');
    await quickInput.type('s3cret');
    await quickInput.accept();
    await tree.row('keyed, ready, 9 tools').waitFor();
    await workbench.reload();
    await workbench.openPortico();
    await tree.action('keyed, stopped, 9 tools known', 'Start Server');
    await tree.row('keyed, ready, 9 tools').waitFor();
    await quickInput.widget.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
  });
});

describe('consent in Restricted Mode', () => {
  let workbench: Workbench;
  const processes = (): string[] =>
    workbench.server.processes().filter((line: string) => line.includes('server-everything'));
  before(async () => {
    workbench = await Workbench.open({
      files: { '.vscode/settings.json': entry('--quick') },
      trust: false,
      install: 'vsix',
    });
    await workbench.openPortico();
  });
  after(() => workbench.close());

  it('lists servers of the folder and starts none', async () => {
    const { page, tree } = workbench;
    await tree.row('slack, off in Restricted Mode').waitFor();
    await page.locator('.sidebar', { hasText: '1 server of this folder stays off in Restricted Mode.' }).waitFor();
    await workbench.runCommand('Portico: Start All Servers');
    await workbench.screenshot('restricted');
    await tree.waitForActions('slack, off', []);
    assert.deepEqual(processes(), []);
  });

  it('asks and starts once the folder is trusted', async () => {
    const { page, tree } = workbench;
    await tree.select('Manage Workspace Trust');
    await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await tree.row('slack, not approved').waitFor();
    await page.locator('.monaco-modal-editor-block .action-label.codicon-close').click();
    await page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
    await tree.row('Manage Workspace Trust').waitFor({ state: 'detached' });
    await untilEqual(() => tree.labels(), ['slack, not approved, from workspace settings']);
    await tree.action('slack, not approved', 'Review Server');
    await workbench.answer('Run Server');
    await tree.row('slack, ready').waitFor();
    assert.equal(processes().length, 1);
  });
});
