import assert from 'node:assert/strict';
import {
  bridgeEntry,
  bridgeLine,
  findRunner,
  type NodeFacts,
  type RunnerSurroundings,
  runnerSurroundings,
} from '../../../../src/vscode/agents/bridgeCommand';

/** A machine with these programs, by their paths. */
function machine(programs: Readonly<Record<string, NodeFacts>>, more: Partial<RunnerSurroundings> = {}) {
  const asked: string[] = [];
  const surroundings: RunnerSurroundings = {
    platform: 'linux',
    path: '/home/a/bin:/usr/bin',
    execPath: '/usr/share/code/code',
    isElectron: true,
    ask: async (file) => {
      asked.push(file);
      return programs[file];
    },
    ...more,
  };
  return { asked, runner: () => findRunner(surroundings) };
}

describe('the program that runs the bridge', () => {
  it('is the first Node.js of the search path, by where it is', async () => {
    const { runner, asked } = machine({
      '/usr/bin/node': { version: '22.1.0', execPath: '/usr/bin/node' },
      '/opt/bin/node': { version: '24.0.0', execPath: '/opt/bin/node' },
    });
    assert.deepEqual(await runner(), { command: '/usr/bin/node', env: {}, version: '22.1.0' });
    assert.deepEqual(asked, ['/home/a/bin/node', '/usr/bin/node']);
  });

  it('is what a shim stands for, and what a link of the shell leads to', async () => {
    const { runner } = machine(
      { '/run/user/1/fnm/1_2/bin/node': { version: '20.0.0', execPath: '/home/a/.fnm/v20.0.0/bin/node' } },
      { path: '/run/user/1/fnm/1_2/bin' },
    );
    assert.equal((await runner()).command, '/home/a/.fnm/v20.0.0/bin/node');
  });

  it('is the link that outlives an upgrade of Homebrew', async () => {
    const { runner } = machine(
      { '/opt/homebrew/bin/node': { version: '25.2.1', execPath: '/opt/homebrew/Cellar/node/25.2.1/bin/node' } },
      { platform: 'darwin', path: '/opt/homebrew/bin' },
    );
    assert.equal((await runner()).command, '/opt/homebrew/bin/node');
  });

  it('is a later one where the first is too old', async () => {
    const { runner } = machine({
      '/home/a/bin/node': { version: '18.20.4', execPath: '/home/a/bin/node' },
      '/usr/bin/node': { version: '20.0.0', execPath: '/usr/bin/node' },
    });
    assert.equal((await runner()).command, '/usr/bin/node');
  });

  it('is the editor’s own program where there is none', async () => {
    const editor = { command: '/usr/share/code/code', env: { ELECTRON_RUN_AS_NODE: '1' }, version: undefined };
    assert.deepEqual(await machine({}).runner(), editor);
    const old = { '/usr/bin/node': { version: '9.0.0', execPath: '/usr/bin/node' } };
    assert.deepEqual(await machine(old).runner(), editor);
    const server = machine({}, { execPath: '/srv/code/node', isElectron: false });
    assert.deepEqual(await server.runner(), { command: '/srv/code/node', env: {}, version: undefined });
  });

  it('is not looked for in relative folders of the search path', async () => {
    const { runner, asked } = machine({}, { path: ':.:bin:/usr/bin:/usr/bin' });
    await runner();
    assert.deepEqual(asked, ['/usr/bin/node']);
  });

  it('is found on Windows', async () => {
    const { runner, asked } = machine(
      { 'C:\\Program Files\\nodejs\\node.exe': { version: '22.0.0', execPath: 'C:\\Program Files\\nodejs\\node.exe' } },
      { platform: 'win32', path: 'C:\\Windows;C:\\Program Files\\nodejs\\' },
    );
    assert.equal((await runner()).command, 'C:\\Program Files\\nodejs\\node.exe');
    assert.deepEqual(asked, ['C:\\Windows\\node.exe', 'C:\\Program Files\\nodejs\\node.exe']);
  });

  it('is asked for its version', async () => {
    const { ask } = runnerSurroundings();
    assert.deepEqual(await ask(process.execPath), { version: process.versions.node, execPath: process.execPath });
    assert.equal(await ask('/nowhere/node'), undefined);
    assert.equal(await ask('/bin/echo'), undefined);
  });
});

describe('the command of the bridge', () => {
  it('says what is offered and to whom', () => {
    const runner = { command: '/usr/bin/node', env: {}, version: '22.0.0' };
    assert.deepEqual(bridgeEntry(runner, '/h/.portico/bridge.mjs', 'gateway', 'codex'), {
      kind: 'bridge',
      command: '/usr/bin/node',
      args: ['/h/.portico/bridge.mjs', '--gateway', '--client', 'codex'],
      env: {},
    });
    const editor = { command: '/usr/bin/code', env: { ELECTRON_RUN_AS_NODE: '1' }, version: undefined };
    assert.deepEqual(bridgeEntry(editor, '/l.mjs', 'editor', undefined), {
      kind: 'bridge',
      command: '/usr/bin/code',
      args: ['/l.mjs', '--editor'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
  });

  it('is one that can be pasted', () => {
    assert.equal(
      bridgeLine('/home/a b/$x/.portico/bridge.mjs', 'linux'),
      "node '/home/a b/$x/.portico/bridge.mjs' --editor",
    );
    assert.equal(bridgeLine("/Users/o'neil/bridge.mjs", 'darwin'), "node '/Users/o'\\''neil/bridge.mjs' --editor");
    assert.equal(
      bridgeLine('C:\\Users\\A B\\.portico\\bridge.mjs', 'win32'),
      'node "C:\\Users\\A B\\.portico\\bridge.mjs" --editor',
    );
  });
});
