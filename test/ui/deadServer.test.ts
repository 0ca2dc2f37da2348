import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureServer, realServer } from './driver/servers';
import { timedMessage, type TimedMessage } from './driver/timedMessage';
import { Workbench } from './driver/workbench';

/**
 * What a dead server may add to a message, in milliseconds: half of what it adds at least through the editor's own client.
 * The benchmarks hold it to less, where nothing else runs.
 */
const allowed = 10_000;

// The first message of a window takes the editor seconds by itself: it sets its own chat up and shakes hands with each
// server. So what a dead server costs is the difference to the same message with a good server alone, each the first
// one after a reload.
describe('a dead server beside a good one', () => {
  let workbench: Workbench;
  let alone: TimedMessage;
  before(async () => {
    workbench = await Workbench.open();
    await configure({ alone: realServer('filesystem', workbench.folder) });
    alone = await firstMessage(workbench);
  });
  after(() => workbench.close());

  const configure = (entries: object) => workbench.execute('scriptedModel.updateSetting', 'portico.servers', entries);
  const servers = (): object => ({ hanger: fixtureServer('mute'), files: realServer('filesystem', workbench.folder) });
  const assertPrompt = (ms: number): void =>
    assert.ok(ms - alone.ms < allowed, `${ms} ms beside ${alone.ms} ms without the dead server`);

  it('costs no time when both are seen for the first time', async () => {
    await configure(servers());
    const first = await firstMessage(workbench);
    await workbench.tree.row('hanger, starting').waitFor();
    assertPrompt(first.ms);
    assert.doesNotMatch(first.answer, /Starting MCP servers/);
    // It is waited for at most a second; where that is too short the next message has its tools.
    await workbench.tree.row('files, ready').waitFor();
    await workbench.model.waitForTools('mcp_files_read_file');
    const { tools } = await timedMessage(workbench);
    assert.ok(tools.includes('mcp_files_read_file'), tools.join());
  });

  it('costs no time, and no tool is missing, when the lists are known', async () => {
    const { ms, tools, answer } = await firstMessage(workbench);
    assertPrompt(ms);
    assert.doesNotMatch(answer, /Starting MCP servers/);
    assert.equal(tools.filter((name) => name.startsWith('mcp_files_')).length, 14);
    // The good server was not started for its lists.
    await workbench.tree.row('files, stopped').waitFor();
  });

  it("keeps a message waiting for more than 20 s through the editor's own client", async () => {
    await configure({});
    mkdirSync(join(workbench.folder, '.vscode'));
    writeFileSync(join(workbench.folder, '.vscode', 'mcp.json'), JSON.stringify({ servers: servers() }));
    const { ms, answer } = await firstMessage(workbench, 20_000);
    assert.equal(ms, Infinity);
    assert.match(answer, /Starting MCP servers/);
  });
});

/** Reloads the window and sends a message as soon as the servers are listed. */
async function firstMessage(workbench: Workbench, bound?: number): Promise<TimedMessage> {
  await workbench.reload();
  await workbench.openPortico();
  await workbench.chat.open();
  return timedMessage(workbench, bound);
}
