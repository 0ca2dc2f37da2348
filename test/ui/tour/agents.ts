import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realServer } from '../driver/servers';
import { Workbench } from '../driver/workbench';

const size = { width: 1200, height: 720 };

/** Pictures of *Connect an Agent…*: what it asks, the change of the agent's configuration, and how the connection went. */
export async function agentsTour(folder: string): Promise<void> {
  const home = join(tmpdir(), '.portico');
  const workbench = await Workbench.open({
    settings: { 'portico.servers': { memory: realServer('memory') } },
    files: { 'harbour.md': '# The harbour\n\nThe ferry leaves at noon.\n' },
    // What these name would win over the home folder.
    env: { PORTICO_HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' },
    size,
  });
  try {
    writeFileSync(join(workbench.server.home, '.claude.json'), claude);
    mkdirSync(join(workbench.server.home, '.codex'));
    writeFileSync(join(workbench.server.home, '.codex', 'config.toml'), '');
    await workbench.execute('workbench.action.closeAuxiliaryBar');
    await workbench.openPortico();
    await workbench.runCommand('Portico: Start All Servers');
    await workbench.tree.row('memory, ready').waitFor();
    await workbench.openFile('harbour.md', 'The harbour');
    await connect(workbench, folder);
  } finally {
    await workbench.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const claude = `{
  "numStartups": 12,
  "mcpServers": {
    "tickets": {
      "command": "npx",
      "args": ["-y", "tickets-mcp"]
    }
  }
}
`;

async function connect(workbench: Workbench, folder: string): Promise<void> {
  const { page, quickInput, notifications } = workbench;
  await workbench.runCommand('Portico: Connect an Agent…');
  await workbench.modalButton('Share').waitFor();
  await workbench.screenshot('connectAgent-consent', folder);
  await workbench.answer('Share');
  await quickInput.row('Codex').waitFor();
  await workbench.screenshot('connectAgent', folder);
  await quickInput.pick('Claude Code');
  await quickInput.waitForTitle('Connect Claude Code (2/4)');
  await quickInput.pick('Editor and servers');
  await quickInput.waitForTitle('Connect Claude Code (3/4)');
  await quickInput.pick('Bridge');
  await quickInput.waitForTitle('Connect Claude Code (4/4)');
  await page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'portico-servers' }).first().waitFor();
  await workbench.screenshot('connectAgent-change', folder);
  await quickInput.pick('Write the Change');
  await notifications.find('the servers: 9 tools');
  await workbench.screenshot('connectAgent-done', folder);
}
