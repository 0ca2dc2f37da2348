import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from './driver/agent';
import { recordsIn } from './driver/records';
import { until, untilEqual } from './driver/until';
import { Workbench } from './driver/workbench';

describe('sharing', () => {
  let workbench: Workbench;
  let home: string;

  before(async () => {
    home = join(mkdtempSync(join(tmpdir(), 'portico-home-')), 'portico');
    workbench = await Workbench.open({
      files: { 'harbour.md': '# The harbour\n\nThe ferry leaves at noon.\n' },
      env: { PORTICO_HOME: home },
    });
  });
  after(async () => {
    await workbench.close();
    rmSync(join(home, '..'), { recursive: true, force: true });
  });

  const records = () => recordsIn(home);
  const connect = (client?: string) =>
    Agent.connect({ home, cwd: workbench.folder, ...(client === undefined ? {} : { client }) });

  it('that the settings want is offered, and begins once the person has agreed', async () => {
    const agent = await connect('codex');
    try {
      const { text, isError } = await agent.call('read_file', { file: 'harbour.md' });
      assert.deepEqual([isError, /No editor window with Portico is open/.test(text)], [true, true], text);
      assert.deepEqual(records(), []);
      // A setting of the machine: it does not count in the browser's own settings.
      await workbench.execute('scriptedModel.updateSetting', 'portico.agents.enabled', true);
      await workbench.notifications.press('Nothing is shared until you agree', 'Review…');
      await workbench.modalButton('Share').waitFor();
      assert.match(await workbench.modalText(), /secret files such as \.env and keys are held back/);
      await workbench.screenshot('sharing-consent');
      await workbench.answerByKeyboard('Share');
      await until('a record', () => records().length === 1);
      const after = await agent.call('read_file', { file: 'harbour.md' });
      assert.match(after.text, /The ferry leaves at noon\./);
    } finally {
      await agent.close();
    }
  });

  it('is told of in the status bar, with how many agents are here and who they are', async () => {
    const status = workbench.page.locator('.statusbar-item[id$="portico.status"]');
    const label = () => status.locator('a').getAttribute('aria-label');
    const agents = [await connect('codex'), await connect('cursor')];
    try {
      await untilEqual(label, 'Portico: shared with Codex, Cursor');
      assert.equal((await status.innerText()).trim(), '2');
      await status.click();
      await workbench.quickInput.waitForTitle('Portico');
      const labels = await workbench.quickInput.labels();
      assert.deepEqual(
        ['Connect an Agent…', 'What Agents Read', 'Stop Sharing'].filter(
          (item) => !labels.some((each) => each.includes(item)),
        ),
        [],
      );
      await workbench.screenshot('sharing-menu');
      await workbench.quickInput.cancel();
    } finally {
      await Promise.all(agents.map((agent) => agent.close()));
    }
  });

  it('lists what agents read, opens the files, and has it all in a document', async () => {
    const agent = await connect('codex');
    const activity = workbench.tree.of('Activity');
    try {
      await workbench.execute('portico.clearActivity');
      await agent.call('read_file', { file: 'harbour.md', startLine: 1, endLine: 1 });
      await agent.call('read_file', { file: '.env' });
      await agent.call('apply_edit', { file: 'harbour.md', edits: [{ find: 'noon', text: 'one' }] });
      await workbench.openPortico();
      await workbench.runCommand('Portico: Show What Agents Read in Activity');
      await activity.row('apply_edit').waitFor();
      const [group, ...labels] = await activity.labels();
      assert.equal(group, 'Today, 3 reads');
      assert.deepEqual(
        labels.map((label) => label.replace(/(, \d+ B)?, at [^,]+$/, '')),
        [
          'harbour.md, refused, to Codex, apply_edit, edits×1',
          '.env, refused, to Codex, read_file',
          'harbour.md, given, to Codex, read_file, lines 1-1',
        ],
      );
      await workbench.screenshot('ledger');
      await activity.row('harbour.md, given').click();
      await workbench.waitForEditorText('# The harbour');
      assert.deepEqual(await workbench.tabs(), ['harbour.md']);
      await activity.row('.env, refused').click();
      await workbench.notifications.waitFor('The workspace has no file .env.');
      await workbench.runCommand('Portico: Open What Agents Read as JSON Lines');
      const lines = (await workbench.waitForEditorText('apply_edit')).trim().split('\n');
      assert.deepEqual(
        lines.map((line) => {
          const { agent: who, program, what, file, part, outcome } = JSON.parse(line) as Record<string, unknown>;
          return [who, program, what, file, part, outcome];
        }),
        [
          ['Codex', 'test-agent', 'apply_edit', 'harbour.md', 'edits×1', 'refused'],
          ['Codex', 'test-agent', 'read_file', '.env', undefined, 'refused'],
          ['Codex', 'test-agent', 'read_file', 'harbour.md', 'lines 1-1', 'given'],
        ],
      );
      await workbench.screenshot('ledger-document');
      await workbench.execute('portico.clearActivity');
      await workbench.runCommand('Portico: Show What Agents Read in Activity');
      await workbench.page.locator('.welcome-view-content', { hasText: 'No agent has read anything' }).waitFor();
      await workbench.screenshot('ledger-empty');
    } finally {
      await agent.close();
    }
  });
});
