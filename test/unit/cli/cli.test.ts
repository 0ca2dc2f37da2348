import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliUnderTest, everything, filesystem, fixture } from './cliRun';

interface Listed {
  readonly server: string;
  readonly name: string;
  readonly exposedName?: string;
  readonly problem?: { readonly code: string; readonly message: string };
  readonly [field: string]: unknown;
}

describe('cli', function () {
  this.timeout(60_000);
  let cli: CliUnderTest;
  let root: string;
  let config: string;

  before(async () => {
    cli = await CliUnderTest.build();
    root = join(cli.folder, 'work');
    await mkdir(root);
    await writeFile(join(root, 'note.txt'), 'hello');
    config = await cli.config({ everything, files: filesystem });
  });
  after(() => cli?.dispose());

  it('tells of no log, which there is only in the editor, and shows what the server wrote', async () => {
    const file = await cli.config({
      gone: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
      silent: fixture('mute.mjs'),
    });
    const said = await cli.run('--config', file, '--timeout', '0.5', 'servers', '--json');
    const servers = JSON.parse(said.stdout) as Listed[];
    assert.deepEqual(
      servers.map(({ problem }) => problem?.message),
      [
        '"gone" exited with code 3.',
        '"silent" was not ready within 0.5 s: it did not answer the handshake. Raise --timeout.',
      ],
    );
    assert.doesNotMatch(said.stderr, /its log/);
    assert.match(said.stderr, /^  waiting for the license server$/m);
  });

  it('lists every server with its state, whatever became of it', async () => {
    const file = await cli.config(
      {
        everything,
        off: { ...everything, disabled: true },
        broken: { args: ['x'], env: 1, cwd: 2, command: '' },
        missing: { command: 'no-such-command-here' },
        asks: { ...everything, env: { KEY: '${input:key}' } },
        listless: fixture('failingLists.mjs'),
      },
      { inputs: [{ id: 'key', type: 'promptString' }] },
    );
    const { code, stdout, stderr } = await cli.run('--config', file, 'servers', '--json');
    const servers = JSON.parse(stdout) as (Listed & { state: string; counts: { tools: number } })[];
    assert.deepEqual(
      servers.map(({ name, state, problem }) => [name, state, problem?.code]),
      [
        ['everything', 'ready', undefined],
        ['off', 'disabled', undefined],
        ['broken', 'failed', 'CONFIG_INVALID'],
        ['missing', 'failed', 'COMMAND_NOT_FOUND'],
        ['asks', 'failed', 'INPUT_MISSING'],
        ['listless', 'ready', '-32603'],
      ],
    );
    const [ready, off, broken, missing, , listless] = servers;
    assert.deepEqual(Object.keys(broken ?? {}), Object.keys(missing ?? {}));
    assert.match(broken?.problem?.message ?? '', /"command" that is empty/);
    assert.match(listless?.problem?.message ?? '', /^tools: .*database is locked/);
    assert.equal(ready?.['era'], 'session');
    assert.equal(ready?.['protocolVersion'], '2025-11-25');
    assert.equal((ready?.['serverInfo'] as { name: string }).name, 'mcp-servers/everything');
    assert.ok(ready && ready.counts.tools > 10);
    assert.deepEqual(off, {
      ...{ name: 'off', state: 'disabled', era: null, protocolVersion: null, serverInfo: null, capabilities: null },
      counts: { tools: 0, resources: 0, templates: 0, prompts: 0 },
    });
    assert.match(stderr, /^missing: COMMAND_NOT_FOUND: /m);
    assert.match(stderr, /^asks: INPUT_MISSING: .*"key"/m);
    assert.match(stderr, /^broken: CONFIG_INVALID: /m);
    assert.equal(code, 0);
  });

  it('lists tools with every field that the server sent, and their exposed names', async () => {
    const { code, stdout } = await cli.run('tools', '--json', '--root', root, '--config', config);
    const tools = JSON.parse(stdout) as Listed[];
    assert.deepEqual([...new Set(tools.map(({ server }) => server))], ['everything', 'files']);
    const echo = tools.find(({ server, name }) => server === 'everything' && name === 'echo');
    assert.equal(echo?.exposedName, 'everything_echo');
    assert.deepEqual((echo?.['inputSchema'] as { required: string[] }).required, ['message']);
    const read = tools.find(({ name }) => name === 'read_text_file');
    assert.ok(read?.['annotations'] && read['outputSchema'] && read['title']);
    assert.equal(code, 0);
  });

  it('lists entries that cannot be used with their problem, beside the others', async () => {
    const file = await cli.config({ odd: fixture('oddSchemas.mjs') });
    const lists = ['tools', 'resources', 'prompts'].map((command) => cli.run('--config', file, '--json', command));
    const [tools, resources, prompts] = (await Promise.all(lists)).map(({ stdout }) => JSON.parse(stdout) as Listed[]);
    const { problem, ...kept } = tools?.find(({ name }) => name === 'kept') ?? assert.fail('no tool');
    assert.equal(problem, undefined);
    assert.deepEqual(kept, {
      ...{ server: 'odd', name: 'kept', exposedName: 'odd_kept', inputSchema: { type: 'object' } },
      ...{ title: 'Kept', icons: [{ src: 'x' }], _meta: { a: 1 }, unheardOf: true },
    });
    const usable = (list?: Listed[]): string[] => (list ?? []).filter((one) => !one.problem).map(({ name }) => name);
    assert.deepEqual(usable(prompts), ['good']);
    assert.ok(usable(resources).includes('one'));
    for (const list of [tools, resources, prompts]) {
      const broken = (list ?? []).flatMap((one) => one.problem ?? []);
      assert.ok(broken.length > 0 && broken.every(({ code, message }) => code !== '' && message !== ''));
    }
  });

  it('lists and calls beside a schema and a result that are nested too deeply to be written down', async () => {
    const file = await cli.config({ deep: fixture('deepNesting.mjs'), everything });
    const { code, stdout } = await cli.run('tools', '--json', '--config', file);
    const tools = (JSON.parse(stdout) as Listed[]).filter(({ server }) => server === 'deep');
    assert.deepEqual(
      tools.map(({ name, problem }) => [name, problem?.code]),
      [
        ['good', undefined],
        ['schema', 'TOOL_UNUSABLE'],
      ],
    );
    assert.equal(code, 0);
    const call = await cli.run('call', 'deep', 'good', '--json', '--config', file);
    assert.equal(call.code, 0, call.stderr);
    assert.match(call.stdout, /nested too deeply/);
    const { structuredContent } = JSON.parse(call.stdout) as { structuredContent: { level: { kept: string } } };
    assert.equal(structuredContent.level.kept, 'yes');
  });

  it('lists resource templates', async () => {
    const { stdout } = await cli.run('--config', config, '--root', root, 'templates', '--json');
    const templates = JSON.parse(stdout) as Listed[];
    assert.ok(
      templates.length > 0 && templates.every(({ server, uriTemplate }) => server === 'everything' && uriTemplate),
    );
  });

  it('prints tables for people', async () => {
    const { stdout } = await cli.run('--config', config, '--root', root, 'servers');
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^NAME +STATE +PROTOCOL +TOOLS/);
    assert.match(lines[1] ?? '', /^everything +ready +2025-11-25/);
    assert.equal(lines.length, 3);
  });

  it('calls a tool and prints the result as it came', async () => {
    const { code, stdout, stderr } = await cli.run(
      'call',
      'everything',
      'echo',
      '{"message":"hé"}',
      '--config',
      config,
    );
    assert.deepEqual(JSON.parse(stdout), { content: [{ type: 'text', text: 'Echo: hé' }] });
    assert.equal(stderr, '');
    assert.equal(code, 0);
  });

  it('starts the named server only', async () => {
    const marker = join(cli.folder, 'started');
    const other = {
      command: process.execPath,
      args: ['-e', 'require("fs").writeFileSync(process.argv[1], "")', marker],
    };
    const file = await cli.config({ files: filesystem, other });
    const { code } = await cli.run('--config', file, '--root', root, 'call', 'files', 'list_allowed_directories');
    assert.equal(code, 0);
    await assert.rejects(readFile(marker), { code: 'ENOENT' });
  });

  it('ends with 2 where the result is an error of the tool', async () => {
    const args = JSON.stringify({ path: join(root, 'absent.txt') });
    const { code, stdout } = await cli.run(
      '--config',
      config,
      '--root',
      root,
      'call',
      'files',
      'read_text_file',
      args,
      '--json',
    );
    assert.equal((JSON.parse(stdout) as { isError: boolean }).isError, true);
    assert.equal(code, 2);
    const file = await cli.config({ odd: fixture('failingLists.mjs') });
    const odd = await cli.run('--config', file, 'read', 'odd', 'a://x');
    assert.deepEqual([JSON.parse(odd.stdout), odd.code], [{ contents: [], isError: 'true' }, 2]);
  });

  const idle: [string, object, RegExp][] = [
    ['nothing', {}, /^portico: SERVER_UNKNOWN: The config files name no server\.$/m],
    ['disabled servers only', { off: { command: 'x', disabled: true } }, /^portico: SERVER_OFF: Every server is /m],
  ];
  for (const [what, servers, reason] of idle) {
    it(`says why a list of ${what} ends with 1`, async () => {
      const { code, stderr } = await cli.run('tools', '--config', await cli.config(servers));
      assert.match(stderr, reason);
      assert.equal(code, 1);
    });
  }

  it('reads a resource, gets a prompt, searches tools', async () => {
    const uri = 'demo://resource/static/document/features.md';
    const read = await cli.run('--config', config, 'read', 'everything', uri);
    assert.equal((JSON.parse(read.stdout) as { contents: { uri: string }[] }).contents[0]?.uri, uri);
    const prompt = await cli.run('--config', config, 'prompt', 'everything', 'args-prompt', '{"city":"Bern"}');
    assert.ok(prompt.stdout.includes("What's weather in Bern?"));
    const search = await cli.run('--config', config, '--root', root, 'search', 'sum of numbers', '--json');
    assert.equal((JSON.parse(search.stdout) as Listed[])[0]?.name, 'get-sum');
    assert.deepEqual([read.code, prompt.code, search.code], [0, 0, 0]);
  });

  it('fault 59: sends no prompt that lacks a required argument', async () => {
    const { code, stdout, stderr } = await cli.run('--config', config, 'prompt', 'everything', 'args-prompt');
    assert.match(stderr, /^everything: ARGUMENTS_INVALID: The prompt "args-prompt" of "everything" needs "city"\./);
    assert.deepEqual([stdout, code], ['', 1]);
  });

  const failures: [string, string[], RegExp][] = [
    ['an unknown server', ['call', 'nobody', 'echo'], /^nobody: SERVER_UNKNOWN: .*There are: odd\./],
    ['an unknown tool', ['call', 'odd', 'nothing'], /^odd: TOOL_UNKNOWN: /],
    ['arguments that do not fit', ['call', 'odd', 'format', '{"a":"x"}'], /^odd: ARGUMENTS_INVALID: .*a /],
    ['arguments that are not JSON', ['call', 'odd', 'format', '{'], /^odd: ARGUMENTS_INVALID: /],
    ['a prompt with a number', ['prompt', 'odd', 'good', '{"x":1}'], /^odd: ARGUMENTS_INVALID: .*"x".*double quotes/],
    ['an error of the protocol', ['prompt', 'odd', 'nothing'], /^odd: -32601: /],
  ];
  for (const [name, args, expected] of failures) {
    it(`ends with 1 and a line on stderr for ${name}`, async () => {
      const file = await cli.config({ odd: fixture('oddSchemas.mjs') });
      const { code, stdout, stderr } = await cli.run('--config', file, ...args);
      assert.equal(stdout, '');
      assert.match(stderr, expected);
      assert.equal(code, 1);
    });
  }

  const misuses: [string, string[]][] = [
    ['no command', []],
    ['an unknown command', ['fly']],
    ['an unknown flag', ['tools', '--fast']],
    ['too few operands', ['call', 'everything', '--config', 'x']],
    ['no config', ['tools']],
    ['a root that is no directory', ['tools', '--config', 'x', '--root', 'package.json']],
    ['an impossible time', ['tools', '--config', 'x', '--timeout', 'soon']],
  ];
  for (const [name, args] of misuses) {
    it(`ends with 1 and the usage for ${name}`, async () => {
      const { code, stdout, stderr } = await cli.run(...args);
      assert.equal(stdout, '');
      assert.match(stderr, /^portico: .*\n\nUsage: /);
      assert.equal(code, 1);
    });
  }

  it('names a config file that is not there', async () => {
    const { code, stdout, stderr } = await cli.run('--config', join(root, 'none.json'), 'tools', '--json');
    assert.deepEqual(JSON.parse(stdout), []);
    assert.match(stderr, /none\.json: [A-Z_]+: /);
    assert.equal(code, 1);
  });

  it('bounds a start by --timeout', async () => {
    const file = await cli.config({ mute: fixture('mute.mjs') });
    const { code, stdout } = await cli.run('--config', file, '--timeout', '0.5', '--json', 'servers');
    const [mute] = JSON.parse(stdout) as (Listed & { state: string })[];
    assert.deepEqual([mute?.state, mute?.problem?.code], ['failed', 'START_TIMEOUT']);
    assert.equal(code, 1);
  });

  it('ends every child on SIGINT', async () => {
    const marker = join(cli.folder, 'pid');
    const script = 'require("fs").writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)';
    const file = await cli.config({ hanging: { command: process.execPath, args: ['-e', script, marker] } });
    const { child, result } = cli.spawn('--config', file, 'tools');
    let pid = '';
    while (pid === '') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      pid = await readFile(marker, 'utf8').catch(() => '');
    }
    child.kill('SIGINT');
    assert.equal((await result).code, 130);
    assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
  });
});
