import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realServer } from './driver/servers';
import { until, untilEqual } from './driver/until';
import { Workbench } from './driver/workbench';

const settings = `{
  // What this team agreed on.
  "editor.tabSize": 2, // two
  "portico.servers": {
    // None so far.
  },
}
`;
const encoded = encodeURIComponent;
const memory = '@modelcontextprotocol/server-memory';
const memoryLine = `stdio · npx -y ${memory} · name memory`;
const memoryEntry = { command: 'npx', args: ['-y', memory] };

/** Pasted text and the line that says what was understood. */
const understood: readonly (readonly [string, string])[] = [
  [`npx -y ${memory}`, memoryLine],
  [`{ "mcpServers": { "memory": { "command": "npx", "args": ["-y", "${memory}",], }, }, }`, memoryLine],
  [`"memory": ${JSON.stringify(memoryEntry)},`, memoryLine],
  [`claude mcp add memory -- npx -y ${memory}`, memoryLine],
  [
    'claude mcp add --transport http linear https://mcp.linear.app/mcp',
    'http · https://mcp.linear.app/mcp · name linear',
  ],
  [
    'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server:latest',
    'stdio · docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server:latest · name github',
  ],
  ['https://mcp.linear.app/mcp', 'http · https://mcp.linear.app/mcp · name linear'],
  [`vscode:mcp/install?${encoded(JSON.stringify({ name: 'memory', ...memoryEntry }))}`, memoryLine],
  [
    `https://insiders.vscode.dev/redirect/mcp/install?name=memory&config=${encoded(JSON.stringify(memoryEntry))}`,
    memoryLine,
  ],
  [memory, memoryLine],
  [
    'node "/my servers/notes/build/index.js" --verbose',
    'stdio · node "/my servers/notes/build/index.js" --verbose · name notes',
  ],
  ['C:\\Tools\\server\\fs-mcp.exe C:\\Users\\me', 'stdio · C:\\Tools\\server\\fs-mcp.exe C:\\Users\\me · name fs'],
  ['cd x && node y', '&& needs a shell'],
];

describe('add server', () => {
  let workbench: Workbench;
  const commandOf = ({ command, args }: { command: string; args: readonly string[] }): string =>
    [command, ...args].join(' ');
  const read = (): string => readFileSync(join(workbench.folder, '.vscode', 'settings.json'), 'utf8');
  const processes = (part: string): string[] =>
    workbench.server.processes().filter((line: string) => line.includes(part));

  before(async () => {
    workbench = await Workbench.open({ files: { '.vscode/settings.json': settings } });
    await workbench.openPortico();
  });
  after(() => workbench.close());

  it('says what it understood of whatever is pasted', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Portico: Add Server…');
    await quickInput.waitForTitle('Add Server');
    for (const [text, line] of understood) {
      await quickInput.type(text);
      await quickInput.waitForMessage(line);
    }
    await quickInput.cancel();
    assert.equal(read(), settings);
  });

  it('adds from the empty state, asks once with the whole command, and starts', async () => {
    const { page, quickInput, tree } = workbench;
    const command = commandOf(realServer('memory'));
    await page.locator('.sidebar .welcome-view-content .monaco-button', { hasText: 'Add Server…' }).click();
    await quickInput.waitForTitle('Add Server');
    await quickInput.type(command);
    await quickInput.waitForMessage(`stdio · ${command} · name memory`);
    await workbench.screenshot('addServer');
    await quickInput.accept();
    await quickInput.pick('This workspace');
    await workbench.modalButton('Run Server').waitFor();
    assert.ok((await workbench.modalText()).includes(command));
    assert.equal(read(), settings);
    await workbench.answer('Run Server');
    await tree.row('memory, ready, 9 tools').waitFor();
    await tree.row('memory, ready').and(page.locator('[aria-selected=true]')).waitFor();
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    await workbench.waitForTabs([]);
    assert.equal(processes('server-memory').length, 1);
    const { command: node, args } = realServer('memory');
    const entry = `"memory": {
      "command": ${JSON.stringify(node)},
      "args": [${JSON.stringify(args[0])}]
    }`;
    const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');
    assert.equal(withoutSpace(read()), withoutSpace(settings.replace('// None so far.', `// None so far.\n${entry}`)));
  });

  it('takes it back with one press', async () => {
    const { notifications, page } = workbench;
    await notifications.press('Added "memory" to the workspace settings.', 'Undo');
    await page.locator('.sidebar .welcome-view-content .monaco-button', { hasText: 'Add Server…' }).waitFor();
    await untilEqual(read, settings);
    await until('no process', () => processes('server-memory').length === 0);
  });

  it('adds to all windows by the command', async () => {
    const { quickInput, tree } = workbench;
    await workbench.runCommand('Portico: Add Server…');
    await quickInput.waitForTitle('Add Server');
    await quickInput.type(`claude mcp add notes -- ${commandOf(realServer('memory'))}`);
    await quickInput.waitForMessage('name notes');
    await quickInput.accept();
    await quickInput.pick('All my windows');
    await workbench.answer('Run Server');
    await tree.row('notes, ready, 9 tools').waitFor();
    const user = JSON.parse(readFileSync(join(workbench.server.userFolder, 'settings.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    const { command, args } = realServer('memory');
    assert.deepEqual(user['portico.servers'], { notes: { command, args } });
  });

  it('asks for another name where one is taken', async () => {
    const { quickInput, tree } = workbench;
    await workbench.runCommand('Portico: Add Server…');
    await quickInput.waitForTitle('Add Server');
    await quickInput.type(`claude mcp add notes -- ${commandOf(realServer('everything'))}`);
    await quickInput.waitForMessage('name notes');
    await quickInput.accept();
    await quickInput.pick('This workspace');
    await quickInput.waitForMessage('"notes" is taken');
    assert.equal(await quickInput.input.inputValue(), 'notes-2');
    await quickInput.accept();
    await workbench.answer('Keep Off');
    assert.equal(await tree.row('notes-2').count(), 0);
    assert.equal(read(), settings);
  });

  it('puts it into .mcp.json, where VS Code runs it', async () => {
    const { page, quickInput, tree } = workbench;
    await workbench.runCommand('Portico: Add Server…');
    await quickInput.waitForTitle('Add Server');
    await quickInput.type(`${commandOf(realServer('filesystem'))} .`);
    await quickInput.waitForMessage('name filesystem');
    await quickInput.accept();
    await quickInput.pick('.mcp.json');
    await tree.row('filesystem, run by VS Code').waitFor();
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    const { command, args } = realServer('filesystem');
    assert.deepEqual(JSON.parse(readFileSync(join(workbench.folder, '.mcp.json'), 'utf8')), {
      mcpServers: { filesystem: { command, args: [...args, '.'] } },
    });
    assert.deepEqual(processes('server-filesystem'), []);
  });
});
