import assert from 'node:assert/strict';
import { everyState, reachEveryState } from './driver/everyState';
import { until, untilEqual } from './driver/until';
import { themes, Workbench } from './driver/workbench';

const rows = {
  slack: ['slack, not approved, from workspace settings', 'Not approved · workspace settings'],
  files: ['files, ready, 14 tools', '14 tools'],
  memory: ['memory, stopped, 9 tools known, starts on first use', '9 tools · starts on first use'],
  sqlite: ['sqlite, starting', 'Starting…'],
  ordersDb: ['orders-db, failed: DATABASE_URL is not set', 'Failed: DATABASE_URL is not set'],
  weather: [
    'weather, failed: the command "weather-mcp" was not found',
    'Failed: the command "weather-mcp" was not found',
  ],
  brave: ['brave, off', 'Off'],
  context7: ['context7, run by VS Code', 'Run by VS Code'],
  jira: [
    'configuration problem in .mcp.json line 10, has the unknown key "comand": write "command".',
    'Unknown key "comand"',
  ],
} as const;

describe('servers view', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open(everyState);
    await workbench.openPortico();
    await reachEveryState(workbench);
  });
  after(() => workbench.close());

  it('says every state in words, in the order of the configuration', async () => {
    const tree = workbench.tree.of('Servers');
    // The text of a starting row goes on after some seconds.
    const settled = (texts: string[]): string[] => texts.map((text) => text.replace(/(tarting).*/, '$1'));
    const texts = (place: 0 | 1): string[] => settled(Object.values(rows).map((row) => row[place]));
    await untilEqual(async () => settled(await tree.labels()), texts(0));
    await untilEqual(async () => settled(await tree.descriptions()), texts(1));
  });

  it('offers what helps in each state, three actions at most', async () => {
    const { tree } = workbench;
    const actions = {
      slack: ['Review Server…'],
      files: ['Restart Server…', 'Stop Server…'],
      memory: ['Start Server…'],
      sqlite: ['Stop Server…', 'Show Server Log…'],
      'orders-db': ['Restart Server…', 'Show Server Log…', 'Edit Server Configuration…'],
      brave: ['Turn On'],
      context7: ['Let Portico Run It…'],
      'configuration problem': ['Edit Server Configuration…'],
    };
    for (const [row, titles] of Object.entries(actions)) {
      await tree.waitForActions(row, titles);
    }
  });

  it('tells the reason in the row and opens nothing by itself', async () => {
    const { page, tree } = workbench;
    assert.equal(await page.locator('.part.panel').isVisible(), false);
    await workbench.waitForTabs([]);
    assert.match(await tree.tooltip('orders-db'), /exited with code 1: DATABASE_URL is not set/);
    assert.match(await tree.tooltip('weather'), /PATH searched: \S+bin/);
  });

  it('shows the log of a server on demand', async () => {
    const { page, tree } = workbench;
    await tree.action('orders-db', 'Show Server Log');
    const log = page.locator('.part.panel .view-lines', { hasText: 'DATABASE_URL is not set' });
    await log.waitFor();
    const chosen = page.locator('.part.panel .title-actions select').locator('option:checked');
    await until('its log', async () => (await chosen.allInnerTexts()).some((text) => text.includes('orders-db')));
    await workbench.execute('workbench.action.closePanel');
  });

  it('opens the entry that is at fault', async () => {
    const { tree } = workbench;
    await tree.action('configuration problem', 'Edit Server Configuration');
    await workbench.waitForEditorText('"comand"');
    await workbench.waitForTabs(['.mcp.json']);
    await workbench.execute('workbench.action.closeAllEditors');
    await tree.select('configuration problem');
    await workbench.statusItem('Ln 10').waitFor();
    await workbench.waitForTabs(['.mcp.json']);
    assert.match(await tree.tooltip('configuration problem'), /unknown key "comand": write "command"\. \.mcp\.json:10/);
    await tree.action('orders-db', 'Edit Server Configuration');
    await workbench.waitForEditorText('"orders-db"');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('restarts, stops and starts one process', async () => {
    const { tree } = workbench;
    const processes = () => workbench.server.processes().filter((line: string) => line.includes('server-filesystem'));
    const [first, ...more] = processes();
    assert.ok(first && more.length === 0);
    await tree.action('files, ready', 'Restart Server');
    await until('another process', () => processes().length === 1 && processes()[0] !== first);
    await tree.row(rows.files[0]).waitFor();
    await tree.action('files, ready', 'Stop Server');
    await tree.row('files, stopped, 14 tools known').waitFor();
    await untilEqual(processes, []);
    await tree.contextMenu('files, stopped', 'Start Server…');
    await tree.row(rows.files[0]).waitFor();
    assert.equal(processes().length, 1);
  });

  it('turns a server off and on in its entry', async () => {
    const { tree } = workbench;
    await tree.action('brave, off', 'Turn On');
    await tree.row('brave, stopped').waitFor();
    await tree.contextMenu('brave, stopped', 'Turn Off');
    await tree.row('brave, off').waitFor();
  });

  it('lists tools below their server', async () => {
    const { tree } = workbench;
    await tree.expand('memory, stopped');
    await tree.expandGroup('Tools');
    await tree.row('Read Graph, tool').waitFor();
    await tree.collapse('memory, stopped');
  });

  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    it(`keeps the first word of each state in sight in a narrow column: ${theme}`, async () => {
      await workbench.useTheme(theme);
      await workbench.resizeSideBar(300);
      await workbench.screenshot(`servers-${theme}`);
      await workbench.resizeSideBar(250);
      await workbench.screenshot(`servers-${theme}-narrow`);
      await untilEqual(() => workbench.tree.cutFirstWords(), []);
    });
  }
});
