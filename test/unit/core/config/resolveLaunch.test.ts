import assert from 'node:assert/strict';
import { mergeEnvironment } from '../../../../src/core/config/resolveLaunch';
import { fakeConfig, json, otherFolder } from './fakeConfig';

const input = (id: string): string => `\${input:${id}}`;

async function resolving(entry: object, file = '/ws/.vscode/mcp.json', rest: object = {}) {
  const fake = fakeConfig();
  fake.inputs.folders.value = [...fake.inputs.folders.value, otherFolder];
  const key = file.endsWith('.mcp.json') ? 'mcpServers' : 'servers';
  fake.files.texts.set(file, json({ [key]: { s: entry }, ...rest }));
  const { service, definition, messages } = await fake.start();
  service.dispose();
  assert.deepEqual(messages(), []);
  return { ...fake, resolve: (interactive = false) => service.resolve(definition('s'), interactive) };
}

describe('resolveLaunch', () => {
  it('expands variables in every text, once', async () => {
    const { variables, resolve } = await resolving({
      command: '${userHome}/bin/x',
      args: ['${workspaceFolder}', '${workspaceFolder:api}', '${workspaceFolderBasename}', '$${/}', '${config:a.b}'],
      env: { A: '${env:TOKEN}', N: 5, T: true },
      cwd: 'sub${pathSeparator}dir',
    });
    variables.variables.set('TOKEN', '${userHome}$&');
    variables.settings.set('a.b', 7);
    const launch = await resolve();
    assert.ok(launch.type === 'stdio');
    assert.equal(launch.command, '/home/me/bin/x');
    assert.deepEqual(launch.args, ['/ws', '/api', 'ws', '$/', '7']);
    assert.equal(launch.cwd, '/ws/sub/dir');
    assert.deepEqual(
      { ...launch.env },
      {
        PATH: '/usr/bin:/bin',
        OLD: 'old',
        A: '${userHome}$&',
        N: '5',
        T: 'true',
      },
    );
  });

  it('takes the folder of the file for the workspace folder and the default cwd', async () => {
    const { resolve } = await resolving({ command: 'x', args: ['${workspaceFolder}'] }, '/api/.mcp.json');
    const launch = await resolve();
    assert.ok(launch.type === 'stdio');
    assert.deepEqual([launch.args, launch.cwd], [['/api'], '/api']);
  });

  it("knows Claude's variables in .mcp.json", async () => {
    const { variables, resolve } = await resolving(
      { url: 'https://${HOST:-d.test}/${env:P}', headers: { Authorization: 'Bearer ${TOKEN}' } },
      '/ws/.mcp.json',
    );
    variables.variables.set('P', 'p');
    variables.variables.set('TOKEN', 't');
    const launch = await resolve();
    assert.ok(launch.type === 'http');
    assert.deepEqual([launch.url, { ...launch.headers }], ['https://d.test/p', { Authorization: 'Bearer t' }]);
  });

  it('names server, variable and place where a variable has no value', async () => {
    const cases: [object, string][] = [
      [{ command: 'x', args: ['${env:NO}'] }, 'uses ${env:NO} in "args"'],
      [{ command: 'x', env: { K: '${config:no}' } }, 'uses ${config:no} in "env" K'],
      [{ command: 'x', cwd: '${workspaceFolder:nope}' }, 'uses ${workspaceFolder:nope} in "cwd"'],
      [{ command: 'x', args: ['${whatever}'] }, 'uses ${whatever} in "args"'],
      [{ url: 'https://a/${env:NO}' }, 'uses ${env:NO} in "url"'],
    ];
    for (const [entry, words] of cases) {
      const { resolve } = await resolving(entry);
      await assert.rejects(resolve(), (error: Error & { code?: string; server?: string }) => {
        assert.equal(error.code, 'VARIABLE_MISSING');
        assert.equal(error.server, 's');
        assert.ok(error.message.startsWith('Server "s" in ws/.vscode/mcp.json ' + words), error.message);
        return true;
      });
    }
  });

  it('asks for each input once, and not at all where a variable is missing anyway', async () => {
    const inputs = [{ id: 'key', type: 'promptString', password: true, description: 'API key' }];
    const entry = { command: 'x', args: [input('key')], env: { K: input('key'), L: input('free') } };
    const good = await resolving(entry, undefined, { inputs });
    good.variables.answers.set('key', 'k').set('free', 'f');
    const launch = await good.resolve(true);
    assert.ok(launch.type === 'stdio');
    assert.deepEqual([launch.args, launch.env['K'], launch.env['L']], [['k'], 'k', 'f']);
    assert.deepEqual(good.variables.asked, ['s:key', 's:free']);
    const bad = await resolving({ command: 'x', args: [input('key'), '${env:NO}'] }, undefined, { inputs });
    await assert.rejects(bad.resolve(true), { code: 'VARIABLE_MISSING' });
    assert.deepEqual(bad.variables.asked, []);
    const rejected = await resolving({ command: 'x', args: [input('key')] }, undefined, { inputs });
    await assert.rejects(rejected.resolve(), { code: 'INPUT_MISSING' });
  });

  it('fault 24: env is merged over the inherited one, an explicit PATH wins, null removes', async () => {
    const { files, resolve } = await resolving({
      command: 'x',
      env: { FOO: '1', PATH: '/x', OLD: null },
      envFile: '${workspaceFolder}/.env',
    });
    files.texts.set('/ws/.env', 'FOO=2\nBAR=3\n');
    const launch = await resolve();
    assert.ok(launch.type === 'stdio');
    assert.deepEqual({ ...launch.env }, { PATH: '/x', FOO: '1', BAR: '3' });
  });

  it('fault 24: on Windows PATH and Path are one variable', () => {
    const changes = new Map<string, string | null>([
      ['PATH', '/x'],
      ['temp', null],
    ]);
    assert.deepEqual(
      { ...mergeEnvironment({ Path: 'C:\\', TEMP: 't', A: '1' }, changes, 'win32') },
      { Path: '/x', A: '1' },
    );
    assert.deepEqual({ ...mergeEnvironment({ Path: 'C:\\' }, changes, 'linux') }, { Path: 'C:\\', PATH: '/x' });
  });

  it('fails on an env file that is not there, naming it', async () => {
    const { resolve } = await resolving({ command: 'x', envFile: '.env' });
    await assert.rejects(resolve(), {
      code: 'CONFIG_INVALID',
      message: /names the env file \/ws\/\.env, which cannot/,
    });
  });

  it('refuses an address that is none once it is expanded, without repeating it', async () => {
    const { variables, resolve } = await resolving({ url: '${env:U}' });
    variables.variables.set('U', 'file:///secret');
    await assert.rejects(resolve(), (error: Error) => !error.message.includes('secret'));
  });
});
