import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { openPage } from '../harness/page.mjs';
import { Agent } from './driver/agent';
import { recordsIn } from './driver/records';
import { until, untilEqual } from './driver/until';
import { Workbench, type WorkbenchOptions } from './driver/workbench';

let home: string;
const open = (options: WorkbenchOptions): Promise<Workbench> => {
  home = join(mkdtempSync(join(tmpdir(), 'portico-home-')), 'portico');
  return Workbench.open({ ...options, env: { PORTICO_HOME: home } });
};
const close = async (workbench: Workbench): Promise<void> => {
  await workbench.close();
  rmSync(join(home, '..'), { recursive: true, force: true });
};
const records = () => recordsIn(home);
/** As by hand in the settings of the machine. */
const setEnabled = (workbench: Workbench, enabled: boolean): void => {
  const path = join(workbench.server.data, 'data', 'Machine', 'settings.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ 'portico.agents.enabled': enabled }));
};
const agree = async (workbench: Workbench): Promise<void> => {
  await workbench.notifications.press('Nothing is shared until you agree', 'Review…');
  await workbench.answer('Share');
};

describe('sharing, while it lasts', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await open({ folders: [{ path: 'harbour' }, { path: 'pier' }] });
  });
  after(() => close(workbench));

  const names = () => records().map(({ folders }) => folders.map(({ name }) => name));
  const connect = (cwd = join(workbench.folder, 'harbour')) => Agent.connect({ home, cwd, client: 'codex' });
  const rowOfSharing = () => workbench.page.locator('.statusbar-item[id$="portico.status"]');

  it('follows the settings file, and asks once', async () => {
    setEnabled(workbench, true);
    await agree(workbench);
    await untilEqual(names, [['harbour', 'pier']]);
    setEnabled(workbench, false);
    await untilEqual(records, []);
    await rowOfSharing().waitFor({ state: 'hidden' });
    setEnabled(workbench, true);
    await untilEqual(names, [['harbour', 'pier']]);
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
  });

  it('tells of folders that come and go', async () => {
    const [before] = records();
    const agent = await connect();
    try {
      const folders = async () => {
        const { data } = await agent.call('list_files');
        return JSON.stringify(data).includes('lighthouse');
      };
      assert.equal(await folders(), false);
      writeFileSync(join(workbench.folder, 'harbour', 'a.md'), 'a');
      workbench.useFolders([{ path: 'harbour' }, { path: 'pier' }, { path: 'lighthouse' }]);
      await untilEqual(names, [['harbour', 'pier', 'lighthouse']]);
      writeFileSync(join(workbench.folder, 'lighthouse', 'lamp.md'), 'lamp');
      await until('a file of the new folder', folders);
      workbench.useFolders([{ path: 'harbour' }, { path: 'lighthouse' }]);
      await untilEqual(names, [['harbour', 'lighthouse']]);
      assert.deepEqual(
        records().map(({ id }) => id),
        [before?.id],
      );
    } finally {
      await agent.close();
    }
  });

  it('names the window in its terminals', async () => {
    workbench.begin('workbench.action.terminal.new');
    await workbench.quickInput.pick('harbour');
    await workbench.page.locator('.terminal-wrapper.active').waitFor();
    const written = join(workbench.folder, 'window');
    await workbench.execute('workbench.action.terminal.sendSequence', {
      text: `printf %s "$PORTICO_WINDOW" > '${written}'\r`,
    });
    await untilEqual(() => {
      try {
        return readFileSync(written, 'utf8');
      } catch {
        return '';
      }
    }, records()[0]?.id ?? '');
  });

  it('outlives a reload: the same window, and agents go on', async () => {
    const [before] = records();
    const agent = await connect();
    try {
      await agent.call('active_context');
      await workbench.reload();
      await until('another record', () => {
        const [after, ...others] = records();
        return after !== undefined && others.length === 0 && after.token !== before?.token;
      });
      assert.equal(records()[0]?.id, before?.id);
      await until('an answer', async () => !(await agent.call('active_context')).isError);
    } finally {
      await agent.close();
    }
  });

  it('has each agent served by the window whose folder it works in', async () => {
    const other = join(workbench.folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'here.md'), 'the other window');
    const page = await workbench.page.context().newPage();
    try {
      const development = [resolve('.')];
      await openPage(page, workbench.server, { folder: other, development });
      await until('two records', () => records().length === 2);
      assert.equal(new Set(records().map(({ id }) => id)).size, 2);
      const agents = [await connect(), await connect(other)];
      try {
        const read = await Promise.all(agents.map((agent) => agent.call('read_file', { file: 'here.md' })));
        assert.deepEqual(
          read.map(({ isError, text }) => [isError, text.includes('the other window')]),
          [
            [true, false],
            [false, true],
          ],
        );
      } finally {
        await Promise.all(agents.map((agent) => agent.close()));
      }
    } finally {
      await page.close();
    }
    await until('one record', () => records().length === 1);
  });

  it('ends by Stop Sharing, for agents that are there too', async () => {
    const agent = await connect();
    try {
      assert.equal((await agent.call('active_context')).isError, false);
      await workbench.runCommand('Portico: Stop Sharing');
      await untilEqual(records, []);
      const { text, isError } = await agent.call('active_context');
      assert.deepEqual([isError, /is not there any more, and no other window has/.test(text)], [true, true], text);
    } finally {
      await agent.close();
    }
  });
});

describe('sharing in Restricted Mode', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await open({ files: { 'a.md': 'a' }, trust: false, install: 'vsix' });
  });
  after(() => close(workbench));

  it('waits until the folder is trusted', async () => {
    setEnabled(workbench, true);
    await workbench.runCommand('Portico: Connect an Agent…');
    await workbench.notifications.waitFor('Nothing is shared in Restricted Mode');
    assert.deepEqual(records(), []);
    await workbench.execute('workbench.trust.manage');
    await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
    await agree(workbench);
    await untilEqual(() => records().map(({ isTrusted }) => isTrusted), [true]);
  });
});
