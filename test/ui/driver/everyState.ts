import { fixtureServer, realServer } from './servers';
import type { Workbench, WorkbenchOptions } from './workbench';

const memory = realServer('memory');

/** A workspace whose servers can be brought into every state that a row shows. */
export const everyState: WorkbenchOptions = {
  settings: {
    'portico.servers': {
      files: realServer('filesystem', '${workspaceFolder}'),
      memory: { ...memory, env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' } },
      sqlite: fixtureServer('mute'),
      'orders-db': fixtureServer('exitAtOnce'),
      weather: { command: 'weather-mcp', args: [] },
      brave: { ...memory, disabled: true },
    },
  },
  files: {
    '.vscode/settings.json': JSON.stringify({ 'portico.servers': { slack: memory } }),
    '.mcp.json': JSON.stringify({ mcpServers: { context7: memory, jira: { comand: 'npx' } } }, undefined, 2),
  },
};

/** Starts and stops until every row is in its state. */
export async function reachEveryState({ tree }: Workbench): Promise<void> {
  for (const name of ['files', 'memory', 'sqlite', 'orders-db', 'weather']) {
    await tree.action(`${name}, stopped`, 'Start Server');
  }
  await tree.row('memory, ready').waitFor();
  await tree.action('memory, ready', 'Stop Server');
  for (const label of ['files, ready', 'memory, stopped, ', 'orders-db, failed', 'weather, failed']) {
    await tree.row(label).waitFor();
  }
}
