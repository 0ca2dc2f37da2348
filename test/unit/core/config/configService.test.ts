import assert from 'node:assert/strict';
import { signal } from '@preact/signals-core';
import { fakeConfig, json, otherFolder } from './fakeConfig';

describe('configService', () => {
  it('reads every kind of source in config order, with its owner', async () => {
    const { files, inputs, start } = fakeConfig({ files: ['/x/cli.json'] });
    inputs.settings.value = [{ scope: 'user', value: { mine: { command: 'a' } } }];
    files.texts.set('/ws/.mcp.json', json({ mcpServers: { shared: { command: 'b' } } }));
    files.texts.set('/ws/.vscode/mcp.json', json({ servers: { editors: { url: 'https://e.test/mcp' } } }));
    files.texts.set('/user/mcp.json', json({ servers: { global: { command: 'd' } } }));
    files.texts.set('/x/cli.json', json({ bare: { command: 'e' } }));
    const { service } = await start();
    assert.deepEqual(
      service.snapshot.value.definitions.map(({ id, owner, source, launch }) => [id, owner, source.kind, launch.type]),
      [
        ['mine', 'portico', 'settings', 'stdio'],
        ['shared', 'editor', 'mcpJson', 'stdio'],
        ['editors', 'editor', 'vscodeMcpJson', 'http'],
        ['global', 'editor', 'userMcpJson', 'stdio'],
        ['bare', 'portico', 'file', 'stdio'],
      ],
    );
    service.dispose();
  });

  it('leaves out the kinds that the setting leaves out, and takes them up again', async () => {
    const { files, inputs, start } = fakeConfig();
    files.texts.set('/ws/.mcp.json', json({ mcpServers: { a: { command: 'b' } } }));
    const { service, ids } = await start();
    inputs.sources.value = ['settings'];
    assert.deepEqual(ids(), []);
    inputs.sources.value = ['settings', 'mcpJson'];
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ids(), ['a']);
    service.dispose();
  });

  it('lets folder beat workspace beat user for one key, a broken entry included', async () => {
    const { inputs, start } = fakeConfig();
    inputs.settings.value = [
      { scope: 'user', value: { fs: { command: 'user' }, other: { command: 'o' }, broken: { command: 'u' } } },
      { scope: 'workspace', value: { fs: { command: 'workspace' }, broken: { comand: 'w' } } },
    ];
    const { service, ids, definition, messages } = await start();
    assert.deepEqual(ids().sort(), ['fs', 'other']);
    const { launch } = definition('fs');
    assert.equal(launch.type === 'stdio' && launch.command, 'workspace');
    assert.deepEqual(messages(), [
      'Server "broken" in workspace settings has the unknown key "comand": write "command".',
    ]);
    service.dispose();
  });

  it('fault 2: one key in two sources is two servers with stable ids', async () => {
    const { files, inputs, start } = fakeConfig();
    inputs.settings.value = [{ scope: 'user', value: { fs: { command: 'x' } } }];
    files.texts.set('/ws/.mcp.json', json({ mcpServers: { fs: { command: 'x' }, one: { command: 'y' } } }));
    files.texts.set('/user/mcp.json', json({ servers: { 'fs@.mcp.json': { command: 'z' } } }));
    const { service, ids, definition } = await start();
    assert.deepEqual(ids(), ['fs', 'fs@.mcp.json+', 'one', 'fs@.mcp.json']);
    assert.equal(definition('fs@.mcp.json+').key, 'fs');
    assert.equal(definition('fs').twin, 'Same command as `fs` in .mcp.json (line 3).');
    assert.equal(definition('fs@.mcp.json+').twin, 'Same command as `fs` in user settings.');
    service.dispose();
  });

  it('fault 2: two entries with one command keep their own identity after a reload and in another order', async () => {
    const { files, start } = fakeConfig();
    const same = { command: 'node', args: ['s.js'] };
    files.texts.set('/ws/.mcp.json', json({ mcpServers: { w1: same, w2: same } }));
    const first = await start();
    files.texts.set('/ws/.mcp.json', json({ mcpServers: { w2: same, w1: same } }));
    const second = await start();
    assert.notEqual(first.definition('w1').launchDigest, first.definition('w2').launchDigest);
    for (const id of ['w1', 'w2']) {
      assert.equal(first.definition(id).launchDigest, second.definition(id).launchDigest);
    }
    first.service.dispose();
    second.service.dispose();
  });

  it('keeps the ids of other folders when a folder is added', async () => {
    const { files, inputs, start } = fakeConfig();
    inputs.folders.value = [...inputs.folders.value, otherFolder];
    const text = json({ mcpServers: { fs: { command: 'x' } } });
    files.texts.set('/ws/.mcp.json', text);
    files.texts.set('/api/.mcp.json', text);
    const { service, ids } = await start();
    assert.deepEqual(ids(), ['fs@ws/.mcp.json', 'fs@api/.mcp.json']);
    inputs.folders.value = [otherFolder, ...inputs.folders.value.slice(0, 1)];
    assert.deepEqual(ids(), ['fs@api/.mcp.json', 'fs@ws/.mcp.json']);
    service.dispose();
  });

  it('fault 26: disabled entries are listed as off, in every spelling', async () => {
    const { files, clock, start } = fakeConfig();
    const servers = (b: object) =>
      json({ mcpServers: { a: { command: 'a' }, b: { command: 'b', ...b }, c: { command: 'c', enabled: false } } });
    files.texts.set('/ws/.mcp.json', servers({ disabled: true }));
    const { service, definition } = await start();
    const a = definition('a');
    assert.deepEqual([a.disabled, definition('b').disabled, definition('c').disabled], [false, true, true]);
    files.write('/ws/.mcp.json', servers({ disabled: false }));
    await clock.tick();
    assert.equal(definition('b').disabled, false);
    assert.equal(definition('a').launchDigest, a.launchDigest);
    service.dispose();
  });

  it('fault 27: an edit changes the digest of its entry only, a comment none', async () => {
    const { files, clock, start } = fakeConfig();
    files.texts.set('/ws/.mcp.json', '{"mcpServers":{"a":{"command":"x","env":{"A":"1"}},\n"b":{"command":"y"}}}');
    const { service, definition, ids } = await start();
    const [a, b] = [definition('a'), definition('b')];
    files.write(
      '/ws/.mcp.json',
      '{ // a comment\n"mcpServers":{"a":{"env":{"A":"1"},"command":"x"},\n"b":{"command":"y",},},}',
    );
    await clock.tick();
    assert.equal(definition('a').launchDigest, a.launchDigest);
    assert.equal(definition('a').place?.line, 1);
    assert.equal(definition('b').launchDigest, b.launchDigest);
    files.write('/ws/.mcp.json', '{"mcpServers":{"a":{"command":"x","env":{"A":"2"}},\n"b":{"command":"y"}}}');
    await clock.tick();
    assert.notEqual(definition('a').launchDigest, a.launchDigest);
    assert.equal(definition('a').consentDigest, a.consentDigest);
    assert.equal(definition('b').launchDigest, b.launchDigest);
    files.write('/ws/.mcp.json', '{"mcpServers":{"renamed":{"command":"x","env":{"A":"2"}}}}');
    await clock.tick();
    assert.deepEqual(ids(), ['renamed']);
    files.write('/ws/.mcp.json', undefined);
    await clock.tick();
    assert.deepEqual(ids(), []);
    service.dispose();
  });

  it('binds consent to command, arguments, cwd, env keys, envFile, URL and header names', async () => {
    const { inputs, start } = fakeConfig();
    const { service, definition } = await start();
    const consentOf = (entry: object): string => {
      inputs.settings.value = [{ scope: 'user', value: { s: entry } }];
      return definition('s').consentDigest;
    };
    const stdio = { command: 'x', args: ['1'], env: { A: '1' }, cwd: '/c', envFile: '/e' };
    const base = consentOf(stdio);
    assert.equal(consentOf({ ...stdio, env: { A: '2' } }), base);
    const changes = [{ command: 'y' }, { args: ['1', '2'] }, { env: { B: '1' } }, { cwd: '/d' }, { envFile: '/f' }];
    for (const change of changes) {
      assert.notEqual(consentOf({ ...stdio, ...change }), base, JSON.stringify(change));
    }
    const remote = consentOf({ url: 'https://a.test/', headers: { Authorization: '1' } });
    assert.equal(consentOf({ url: 'https://a.test/', headers: { authorization: '2' } }), remote);
    assert.notEqual(consentOf({ url: 'https://a.test/b', headers: { Authorization: '1' } }), remote);
    assert.notEqual(consentOf({ url: 'https://a.test/', headers: { 'X-Key': '1' } }), remote);
    service.dispose();
  });

  it('shows and binds consent to what a setting puts into an entry, and follows the setting', async () => {
    const { inputs, variables, start } = fakeConfig();
    const entries = { tool: { command: '${config:my.tool}', args: ['${config:unset}', '${env:HOME}'] } };
    variables.settings.set('my.tool', 'good');
    inputs.settings.value = [{ scope: 'workspace', value: entries }];
    const { service, definition } = await start();
    const { launch, consentDigest } = definition('tool');
    assert.deepEqual(launch.type === 'stdio' && [launch.command, ...launch.args], [
      'good',
      '${config:unset}',
      '${env:HOME}',
    ]);
    variables.settings.set('my.tool', 'evil');
    inputs.settings.value = [{ scope: 'workspace', value: entries }];
    const changed = definition('tool');
    assert.equal(changed.launch.type === 'stdio' && changed.launch.command, 'evil');
    assert.notEqual(changed.consentDigest, consentDigest);
    service.dispose();
  });

  it('reads a burst of changes once and tells nothing where nothing changed', async () => {
    const { files, clock, start } = fakeConfig();
    const text = json({ mcpServers: { a: { command: 'x' } } });
    files.texts.set('/ws/.mcp.json', text);
    const { service } = await start();
    const before = service.snapshot.value;
    const reads = files.reads;
    files.write('/ws/.mcp.json', '');
    files.write('/ws/.mcp.json', text.slice(0, 9));
    files.write('/ws/.mcp.json', text);
    await clock.tick();
    assert.equal(files.reads, reads + 1);
    assert.equal(service.snapshot.value, before);
    service.dispose();
  });

  it('keeps the last good entries while a file cannot be parsed, and says where the fault is', async () => {
    const { files, clock, start } = fakeConfig();
    files.texts.set('/ws/.mcp.json', json({ mcpServers: { a: { command: 'x' }, b: { command: 'y' } } }));
    const { service, ids, definition, messages } = await start();
    const a = definition('a');
    for (const broken of ['', '{"mcpServers": {\n "a": {"command": "z"', '{"mcpServers": {"b" {}}}', '[1]x']) {
      files.write('/ws/.mcp.json', broken);
      await clock.tick();
      assert.deepEqual(ids(), ['a', 'b'], broken);
      assert.equal(definition('a'), a);
      assert.equal(messages().length, 1, broken);
    }
    files.write('/ws/.mcp.json', '{"mcpServers": {\n "b": {"command": "y" "args": []}}}');
    await clock.tick();
    assert.deepEqual(messages(), ['.mcp.json cannot be read as JSON: a comma is missing (line 2). Fix it there.']);
    assert.equal(service.snapshot.value.problems[0]?.place?.line, 1);
    files.write('/ws/.mcp.json', '{}');
    await clock.tick();
    assert.deepEqual([ids(), messages()], [[], []]);
    service.dispose();
  });

  it('takes no entries from a file that could not be parsed yet', async () => {
    const { files, clock, start } = fakeConfig();
    const whole = '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}';
    files.texts.set('/ws/.mcp.json', whole.slice(0, -1));
    files.texts.set('/user/mcp.json', json({ servers: { c: { command: 'z' } } }));
    const { service, ids, messages } = await start();
    assert.deepEqual(ids(), ['c']);
    assert.match(messages().join(), /^\.mcp\.json cannot be read as JSON: a closing brace } is missing/);
    files.write('/ws/.mcp.json', whole);
    await clock.tick();
    assert.deepEqual([ids(), messages()], [['a', 'b', 'c'], []]);
    service.dispose();
  });

  it('says that a file cannot be read and goes on with the others', async () => {
    const { files, start } = fakeConfig({ files: ['/x/none.json'] });
    files.texts.set('/ws/.mcp.json', new Error('EACCES: permission denied'));
    files.texts.set('/user/mcp.json', json({ servers: { a: { command: 'x' } } }));
    const { service, ids, messages } = await start();
    assert.deepEqual(ids(), ['a']);
    assert.deepEqual(messages(), [
      '.mcp.json cannot be read: EACCES: permission denied. Check the path and its permissions.',
      'none.json cannot be read: there is no such file. Check the path and its permissions.',
    ]);
    service.dispose();
  });

  it('marks entries that lead back to Portico', async () => {
    const urls = signal<readonly string[]>([]);
    const { inputs, start } = fakeConfig({
      own: { paths: ['/opt/portico/bridge.js'], urls },
      environment: () => ({ PORTICO_HOME: '/data/p' }),
    });
    const { service } = await start();
    inputs.settings.value = [
      {
        scope: 'user',
        value: {
          bundle: { command: 'node', args: ['/opt/portico/bridge.js'] },
          launcher: { command: 'node', args: ['/data/p/bridge.mjs', '--editor'] },
          port: { url: 'http://localhost:5000/editor' },
          other: { command: 'node', args: ['/src/portico/server.js'] },
        },
      },
    ];
    const self = (): readonly string[] =>
      service.snapshot.value.definitions.filter((definition) => definition.self).map(({ key }) => key);
    assert.deepEqual(self(), ['bundle', 'launcher']);
    urls.value = ['http://127.0.0.1:5000'];
    assert.deepEqual(self(), ['bundle', 'launcher', 'port']);
    urls.value = [];
    assert.deepEqual(self(), ['bundle', 'launcher']);
    service.dispose();
  });

  it('watches nothing more once it is disposed', async () => {
    const { files, start } = fakeConfig();
    const { service } = await start();
    assert.deepEqual([...files.watchers.keys()], ['/ws/.mcp.json', '/ws/.vscode/mcp.json', '/user/mcp.json']);
    service.dispose();
    assert.deepEqual(
      [...files.watchers.values()].map((watchers) => watchers.size),
      [0, 0, 0],
    );
  });
});
