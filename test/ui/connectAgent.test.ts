import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunner, runnerSurroundings } from '../../src/vscode/agents/bridgeCommand';
import { untilEqual } from './driver/until';
import { Workbench } from './driver/workbench';

describe('connect an agent', () => {
  let workbench: Workbench;
  let folder: string;
  let node: string;
  const at = (...path: string[]): string => join(folder, ...path);
  const claude = '{\n\t"numStartups": 3,\n\t"mcpServers": {\n\t\t"other": { "command": "x" }\n\t}\n}\n';
  const codex = '# Mine.\nmodel = "o"\n';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-agents-'));
    ({ command: node } = await findRunner(runnerSurroundings()));
    ['claude', 'codex'].forEach((name) => mkdirSync(at(name)));
    writeFileSync(at('claude', '.claude.json'), claude);
    writeFileSync(at('codex', 'config.toml'), codex);
    workbench = await Workbench.open({
      files: { 'harbour.md': '# The harbour\n' },
      // A box with a long hint says it in a tooltip too, which the editor leaves behind where the box is used again.
      settings: { 'workbench.hover.delay': 600_000 },
      env: { PORTICO_HOME: at('portico'), CLAUDE_CONFIG_DIR: at('claude'), CODEX_HOME: at('codex') },
    });
  });
  after(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (...path: string[]): string => readFileSync(at(...path), 'utf8');
  const launcher = (): string => at('portico', 'bridge.mjs');
  const bridges = (): string[] => workbench.server.processes().filter((line: string) => line.includes('bridge.mjs'));

  /** Chooses in a step by the keyboard. */
  async function choose(step: string, label: string): Promise<void> {
    await workbench.quickInput.waitForTitle(step);
    await workbench.quickInput.focus(label);
    await workbench.page.keyboard.press('Enter');
  }

  it('shares only once the person has agreed', async () => {
    await workbench.runCommand('Portico: Connect an Agent…');
    await workbench.modalButton('Share').waitFor();
    await workbench.screenshot('connectAgent-consent');
    await workbench.dismiss();
    assert.equal(existsSync(at('portico')), false);
    assert.equal(await workbench.quickInput.widget.count(), 0);
    await workbench.runCommand('Portico: Connect an Agent…');
    await workbench.answerByKeyboard('Share');
  });

  it('shows the change of a configuration, writes it, and connects as the agent does', async () => {
    const { notifications, page, quickInput } = workbench;
    await quickInput.waitForTitle('Connect an Agent (1/4)');
    await workbench.screenshot('connectAgent-agents');
    await choose('Connect an Agent (1/4)', 'Claude Code');
    await choose('Connect Claude Code (2/4)', 'Editor and servers');
    await quickInput.waitForTitle('Connect Claude Code (3/4)');
    await quickInput.widget.locator('.codicon-quick-input-back').waitFor();
    // As the key for it does, which the browser would take for its own.
    await workbench.execute('workbench.action.quickInputBack');
    await choose('Connect Claude Code (2/4)', 'Editor');
    await quickInput.waitForTitle('Connect Claude Code (3/4)');
    await workbench.screenshot('connectAgent-way');
    await choose('Connect Claude Code (3/4)', 'Bridge');
    await quickInput.waitForTitle('Connect Claude Code (4/4)');
    await page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'portico-editor' }).first().waitFor();
    await workbench.screenshot('connectAgent-diff');
    assert.equal(read('claude', '.claude.json'), claude);
    await choose('Connect Claude Code (4/4)', 'Write the Change');
    const said = /Claude Code can reach the editor: \d+ tools\. Claude Code reads it at its next start\./;
    await notifications.find(said);
    await workbench.screenshot('connectAgent-done');
    await workbench.useTheme('dark');
    await workbench.screenshot('connectAgent-done-dark');
    await workbench.waitForTabs([]);
    const args = [launcher(), '--editor', '--client', 'claude-code'];
    const printed = JSON.stringify({ type: 'stdio', command: node, args }, undefined, '\t').replaceAll('\n', '\n\t\t');
    const other = '"other": { "command": "x" }';
    assert.equal(read('claude', '.claude.json'), claude.replace(other, `${other},\n\t\t"portico-editor": ${printed}`));
    await untilEqual(bridges, []);
    await notifications.press(said, 'Undo');
    await untilEqual(() => read('claude', '.claude.json'), claude);
  });

  it('shows the change anew where the file was changed meanwhile', async () => {
    const { notifications, quickInput } = workbench;
    await workbench.runCommand('Portico: Connect an Agent…');
    await choose('Connect an Agent (1/4)', 'Codex');
    await choose('Connect Codex (2/4)', 'Editor and servers');
    await choose('Connect Codex (3/4)', 'Bridge');
    await quickInput.waitForTitle('Connect Codex (4/4)');
    await workbench.screenshot('connectAgent-diff-dark');
    const changed = `${codex}\n[mcp_servers.other]\ncommand = "x"\n`;
    writeFileSync(at('codex', 'config.toml'), changed);
    await choose('Connect Codex (4/4)', 'Write the Change');
    await quickInput.waitForPlaceholder('The file was changed meanwhile');
    assert.equal(read('codex', 'config.toml'), changed);
    await choose('Connect Codex (4/4)', 'Write the Change');
    await notifications.waitFor(/Codex can reach the editor: \d+ tools, the servers: \d+ tools?\. Codex reads it/);
    const entry = (name: string, flag: string): string =>
      `\n[mcp_servers.${name}]\ncommand = "${node}"\nargs = [ "${launcher()}", "${flag}", "--client", "codex" ]\n`;
    assert.equal(
      read('codex', 'config.toml'),
      `${changed}${entry('portico-editor', '--editor')}${entry('portico-servers', '--gateway')}`,
    );
    await untilEqual(bridges, []);
  });

  it('connects by URL with a token that only the file holds', async () => {
    const { notifications } = workbench;
    const file = join(workbench.server.home, '.cursor', 'mcp.json');
    await workbench.runCommand('Portico: Connect an Agent…');
    await choose('Connect an Agent (1/4)', 'Cursor');
    await choose('Connect Cursor (2/4)', 'Editor');
    await choose('Connect Cursor (3/4)', 'URL');
    await choose('Connect Cursor (4/4)', 'Write the Change');
    await notifications.waitFor(/Cursor can reach the editor: \d+ tools\. Turn the server on/);
    const written = readFileSync(file, 'utf8');
    assert.match(
      written,
      /^\{\n {2}"mcpServers": \{\n {4}"portico-editor": \{\n {6}"url": "http:\/\/127\.0\.0\.1:\d+\/editor",\n {6}"headers": \{\n {8}"Authorization": "Bearer [\w-]{43}"\n/,
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await workbench.runCommand('Portico: Connect an Agent…');
    await choose('Connect an Agent (1/4)', 'Cursor');
    await choose('Connect Cursor (2/4)', 'Editor');
    await choose('Connect Cursor (3/4)', 'URL');
    await notifications.waitFor(/Cursor can reach the editor: \d+ tools\. Nothing had to be changed\./);
    assert.equal(readFileSync(file, 'utf8'), written);
  });

  it('leaves a broken file alone, and says what is wrong with it', async () => {
    const { notifications } = workbench;
    const file = join(workbench.server.home, '.gemini', 'settings.json');
    mkdirSync(join(file, '..'));
    writeFileSync(file, '{\n  "a": 1\n  "b": 2\n}\n');
    await workbench.runCommand('Portico: Connect an Agent…');
    await choose('Connect an Agent (1/4)', 'Gemini CLI');
    await choose('Connect Gemini CLI (2/4)', 'Editor');
    await choose('Connect Gemini CLI (3/4)', 'Bridge');
    await notifications.press(
      /settings\.json: The file cannot be changed: .* \(line 3\)\. Mend it first\./,
      'Open File',
    );
    await workbench.waitForEditorText('"b": 2');
    assert.equal(readFileSync(file, 'utf8'), '{\n  "a": 1\n  "b": 2\n}\n');
  });

  it('copies the entry for an agent that it does not know, and the command of the bridge', async () => {
    const { notifications } = workbench;
    await workbench.runCommand('Portico: Connect an Agent…');
    await choose('Connect an Agent (1/4)', 'Another agent');
    await choose('Connect an Agent (2/3)', 'Servers only');
    await choose('Connect an Agent (3/3)', 'Bridge');
    await notifications.waitFor(/The agent can reach the servers: \d+ tools?\. The entry is in the clipboard/);
    assert.deepEqual(JSON.parse(await workbench.clipboard()), {
      mcpServers: { 'portico-servers': { type: 'stdio', command: node, args: [launcher(), '--gateway'] } },
    });
    await workbench.runCommand('Portico: Copy Bridge Command');
    await notifications.waitFor('Copied: node');
    assert.equal(await workbench.clipboard(), `node '${launcher()}' --editor`);
    await untilEqual(bridges, []);
  });

  it('never starts what leads back to the window', async () => {
    const { mcpServers } = JSON.parse(readFileSync(join(workbench.server.home, '.cursor', 'mcp.json'), 'utf8')) as {
      readonly mcpServers: Readonly<Record<string, unknown>>;
    };
    const bridge = { command: node, args: [launcher(), '--gateway'] };
    const proxy = {
      command: 'npx',
      args: ['mcp-remote', (mcpServers['portico-editor'] as { readonly url: string }).url],
    };
    await workbench.execute('scriptedModel.updateSetting', 'portico.servers', { ...mcpServers, bridge, proxy });
    await workbench.openPortico();
    for (const name of ['portico-editor', 'bridge', 'proxy']) {
      await workbench.tree.row(`${name}, leads back to Portico itself`).waitFor();
    }
    assert.deepEqual(bridges(), []);
  });
});
