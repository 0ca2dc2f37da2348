import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from './driver/agent';
import { recordsIn } from './driver/records';
import { until, untilEqual } from './driver/until';
import { Workbench } from './driver/workbench';

const text = '# The harbour\n\nThe ferry leaves at noon.\n';
const tasks = {
  version: '2.0.0',
  tasks: [
    { label: 'say', type: 'shell', command: 'echo the lamp is lit; exit 3', problemMatcher: [] },
    { label: 'watch', type: 'shell', command: 'sleep 600', problemMatcher: [] },
  ],
};

describe('edits and tasks of agents', () => {
  let workbench: Workbench;
  let agent: Agent;
  let home: string;

  before(async () => {
    home = join(mkdtempSync(join(tmpdir(), 'portico-home-')), 'portico');
    workbench = await Workbench.open({
      files: { 'harbour.md': text, '.vscode/tasks.json': JSON.stringify(tasks) },
      env: { PORTICO_HOME: home },
      settings: { 'files.autoSave': 'off' },
      size: { width: 1200, height: 720 },
    });
    await workbench.execute('workbench.action.closeAuxiliaryBar');
    await workbench.execute('scriptedModel.updateSetting', 'portico.agents.enabled', true);
    await workbench.notifications.press('Nothing is shared until you agree', 'Review…');
    await workbench.answer('Share');
    await until('a record', () => recordsIn(home).length === 1);
    agent = await Agent.connect({ home, cwd: workbench.folder, client: 'claude-code' });
  });
  after(async () => {
    await agent.close();
    await workbench.close();
    rmSync(join(home, '..'), { recursive: true, force: true });
  });

  const onDisk = (name = 'harbour.md') => readFileSync(join(workbench.folder, name), 'utf8');
  const buffer = async () => (await agent.call('read_file', { file: 'harbour.md' })).text;
  const edit = (find: string, put: string) =>
    agent.call('apply_edit', { file: 'harbour.md', edits: [{ find, text: put }] });

  const press = async (label: string): Promise<void> => {
    await workbench.quickInput.focus(label);
    await workbench.page.keyboard.press('Enter');
  };

  /** Without the tooltip that the box may have since the keyboard is in it. */
  const picture = async (name: string): Promise<void> => {
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('ArrowUp');
    await workbench.screenshot(name);
  };

  it('are off until the person turns them on, which reaches the agent at once', async () => {
    const { text: said, isError } = await edit('noon', 'one');
    assert.equal(isError, true);
    assert.match(said, /^apply_edit is off\. .* by the setting portico\.agents\.editTools\.$/);
    assert.equal((await agent.tools()).includes('apply_edit'), false);
    await workbench.execute('scriptedModel.updateSetting', 'portico.agents.editTools', true);
    await workbench.execute('scriptedModel.updateSetting', 'portico.agents.runTools', true);
    await agent.untilTool('apply_edit');
    await agent.untilTool('run_task');
  });

  it('are shown as a diff with who asks, and applied as one step of undo', async () => {
    const applied = edit('noon', 'one, and at six');
    await workbench.quickInput.waitForTitle('Claude Code: Edit harbour.md');
    await workbench.quickInput.waitForPlaceholder('1 change in 1 file');
    await workbench.page.locator('.monaco-diff-editor', { hasText: 'and at six' }).waitFor();
    for (const theme of ['dark', 'highContrast', 'light'] as const) {
      await workbench.useTheme(theme);
      await picture(theme === 'light' ? 'agent-edit' : `agent-edit-${theme}`);
    }
    await press('Apply');
    const { data, isError } = await applied;
    assert.deepEqual([isError, data['state']], [false, 'applied']);
    assert.match(await buffer(), /leaves at one, and at six\./);
    assert.equal(onDisk(), text);
    // The editor shows what is not saved.
    await untilEqual(() => workbench.tabs(), ['harbour.md']);
    await workbench.openFile('harbour.md', 'one, and at six');
    await workbench.execute('undo');
    await workbench.waitForEditorText('leaves at noon.');
    assert.match(await buffer(), /leaves at noon\./);
  });

  it('are refused by Escape, and the diff goes, but none of the person', async () => {
    await workbench.openFile('harbour.md', 'leaves at noon.');
    await workbench.execute('workbench.files.action.compareWithClipboard');
    // The tab of their diff has the name of its file.
    const theirs = ['harbour.md', 'harbour.md'];
    await untilEqual(() => workbench.tabs(), theirs);
    const refused = edit('noon', 'never');
    await workbench.quickInput.waitForTitle('Claude Code: Edit harbour.md');
    await workbench.page.locator('.monaco-diff-editor', { hasText: 'never' }).waitFor();
    await workbench.quickInput.focus('Refuse');
    await workbench.page.keyboard.press('Escape');
    const { data, text: said } = await refused;
    assert.equal(data['state'], 'refused');
    assert.match(said, /^The person refused\. Nothing was changed/);
    await untilEqual(() => workbench.tabs(), theirs);
    assert.match(await buffer(), /leaves at noon\./);
    await workbench.execute('workbench.action.closeActiveEditor');
    await untilEqual(() => workbench.tabs(), ['harbour.md']);
  });

  it('make a file, shown before it is there', async () => {
    const made = agent.call('apply_edit', { file: 'docs/lamp.md', newFile: 'The lamp is lit.\n' });
    await workbench.quickInput.waitForTitle('Claude Code: Create docs/lamp.md');
    await workbench.quickInput.waitForPlaceholder('create docs/lamp.md');
    await workbench.page.locator('.monaco-diff-editor', { hasText: 'The lamp is lit.' }).waitFor();
    assert.equal(existsSync(join(workbench.folder, 'docs')), false);
    await picture('agent-new-file');
    await press('Apply');
    assert.equal((await made).data['state'], 'applied');
    await untilEqual(() => onDisk('docs/lamp.md'), 'The lamp is lit.\n');
  });

  it('propose a text, which the person accepts in the title of its diff', async () => {
    const proposed = agent.call('show_diff', {
      file: 'harbour.md',
      text: text.replace('noon', 'seven'),
      title: 'Move the ferry',
    });
    await workbench.page.locator('.monaco-diff-editor', { hasText: 'seven' }).waitFor();
    await workbench.notifications.find('Claude Code: Move the ferry: accept or reject it in the title of its diff.');
    await workbench.screenshot('agent-proposal');
    await workbench.execute('notifications.hideList');
    await workbench.page.locator('.editor-actions .action-label[aria-label^="Accept"]').click();
    assert.equal((await proposed).data['state'], 'applied');
    assert.match(await buffer(), /leaves at seven\./);
  });

  it('run a task that the person agrees to, and stop one', async () => {
    const ran = agent.call('run_task', { task: 'say' });
    await workbench.quickInput.waitForTitle('Claude Code: Run say');
    await picture('agent-task');
    await press('Run');
    const { data, text: said } = await ran;
    assert.deepEqual([data['state'], data['exitCode']], ['ended', 3], said);
    assert.equal(data['output'], 'the lamp is lit\n');
    const started = agent.call('run_task', { task: 'watch', waitMs: 0 });
    await workbench.quickInput.waitForTitle('Claude Code: Run watch');
    await press('Run');
    const { data: running } = await started;
    assert.equal(running['state'], 'running');
    const { data: stopped } = await agent.call('stop_task', { run: running['run'] });
    assert.equal(stopped['state'], 'ended');
  });
});
