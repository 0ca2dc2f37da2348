import assert from 'node:assert/strict';
import { realServer } from './driver/servers';
import { until } from './driver/until';
import { Workbench } from './driver/workbench';

const memory = realServer('memory');

describe('a server in .mcp.json and in portico.servers', () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.open({
      settings: { 'portico.servers': { memory } },
      files: { '.mcp.json': JSON.stringify({ mcpServers: { memory } }) },
    });
    await workbench.openPortico();
    await workbench.tree.row('memory, run by VS Code').waitFor();
    await workbench.chat.open();
  });
  after(() => workbench.close());

  it("runs once, for the editor's chat", async () => {
    const tools = await toolsAfterMessage(workbench);
    assert.equal(tools.filter((name) => name.endsWith('_read_graph')).length, 1);
    assert.equal(processes(workbench).length, 1);
  });

  it('runs once after Let Portico Run It, and no tool is there twice', async () => {
    const { model, tree, quickInput } = workbench;
    const [before] = processes(workbench);
    await tree.action('memory, run by VS Code', 'Let Portico Run It');
    await workbench.answer('Copy');
    // The editor's own list: its copy runs on until it is stopped, and of servers with one name one is enabled.
    await quickInput.pickWith('.mcp.json');
    await quickInput.pick('Stop Server');
    await workbench.runCommand('MCP: List Servers');
    await quickInput.pickWith('Portico');
    await quickInput.pick('Enable Server (Workspace)');
    // Portico's copy was never seen: its tools come while the first message is answered, or soon after.
    await toolsAfterMessage(workbench);
    await tree.row('memory, ready').waitFor();
    await model.waitForTools('_read_graph');
    const tools = await toolsAfterMessage(workbench);
    assert.equal(tools.filter((name) => name.endsWith('_read_graph')).length, 1);
    await until('one process, another one', () => {
      const [pid, ...more] = processes(workbench);
      return pid !== undefined && pid !== before && more.length === 0;
    });
  });
});

function processes({ server }: Workbench): number[] {
  return server
    .processes()
    .filter((line) => line.includes('server-memory'))
    .map((line) => Number.parseInt(line));
}

async function toolsAfterMessage({ chat, model }: Workbench): Promise<string[]> {
  await chat.clear();
  await model.script({ say: 'answered' });
  await chat.send('hello');
  await chat.waitForAnswer('answered');
  return chat.offeredTools();
}
