import assert from 'node:assert/strict';
import { splitCommand } from '../../../../src/core/config/recognize/commandWords';
import { recognizeServer } from '../../../../src/core/config/recognize';

const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const memory = '@modelcontextprotocol/server-memory';
const memoryLine = `stdio · npx -y ${memory} · name memory`;
const memoryEntry = { command: 'npx', args: ['-y', memory] };

function summariesOf(text: string): readonly string[] | string {
  const recognition = recognizeServer(text);
  return recognition.kind === 'nothing' ? recognition.reason : recognition.servers.map(({ summary }) => summary);
}

function one(text: string) {
  const recognition = recognizeServer(text);
  assert.equal(recognition.kind, 'servers', text);
  assert.equal(recognition.kind === 'servers' && recognition.servers.length, 1);
  return (recognition.kind === 'servers' ? recognition.servers[0] : undefined)!;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('recognizeServer', () => {
  const table: [string, ...string[]][] = [
    // Command lines
    [`npx -y ${memory}`, memoryLine],
    [`  $ npx -y ${memory}\n`, memoryLine],
    [`npx \\\n  -y \\\n  ${memory}`, memoryLine],
    [`\`npx -y ${memory}\``, memoryLine],
    ['```bash\nnpx -y ' + memory + '\n```', memoryLine],
    ['PS C:\\Users\\me> npx -y ' + memory, memoryLine],
    ['npx -y @upstash/context7-mcp@4.1.1', 'stdio · npx -y @upstash/context7-mcp@4.1.1 · name context7'],
    ['npx @playwright/mcp@latest', 'stdio · npx @playwright/mcp@latest · name playwright'],
    [
      'uvx mcp-server-time --local-timezone=Europe/Berlin',
      'stdio · uvx mcp-server-time --local-timezone=Europe/Berlin · name time',
    ],
    ['uv --directory /src/weather run weather.py', 'stdio · uv --directory /src/weather run weather.py · name weather'],
    [
      'node "/my servers/notes/build/index.js" --verbose',
      'stdio · node "/my servers/notes/build/index.js" --verbose · name notes',
    ],
    ['C:\\Tools\\server\\fs-mcp.exe C:\\Users\\me', 'stdio · C:\\Tools\\server\\fs-mcp.exe C:\\Users\\me · name fs'],
    ['"C:\\Program Files\\x\\notes.exe" --a', 'stdio · "C:\\\\Program Files\\\\x\\\\notes.exe" --a · name notes'],
    ['cmd /c npx -y ' + memory, `stdio · cmd /c npx -y ${memory} · name memory`],
    ['docker run -i --rm mcp/fetch', 'stdio · docker run -i --rm mcp/fetch · name fetch'],
    [
      'docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server:latest',
      'stdio · docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server:latest · name github',
    ],
    ['npm install -g ' + memory, memoryLine],
    ['pip install mcp-server-git', 'stdio · uvx mcp-server-git · name git'],
    // Addresses
    ['https://mcp.linear.app/mcp', 'http · https://mcp.linear.app/mcp · name linear'],
    ['https://mcp.linear.app/sse', 'sse · https://mcp.linear.app/sse · name linear'],
    ['http://localhost:3001/mcp', 'http · http://localhost:3001/mcp · name local-3001'],
    ['https://api.githubcopilot.com/mcp/', 'http · https://api.githubcopilot.com/mcp/ · name githubcopilot'],
    ['https://www.npmjs.com/package/' + memory, memoryLine],
    ['localhost:3000/mcp', 'http · http://localhost:3000/mcp · name local-3000'],
    ['127.0.0.1:8080', 'http · http://127.0.0.1:8080 · name local-8080'],
    [
      'https://me:s3cret@mcp.linear.app/mcp',
      'http · https://mcp.linear.app/mcp · name linear · headers Authorization · asks for Authorization',
    ],
    [
      'C:\\Program Files\\nodejs\\node.exe notes.js',
      'stdio · "C:\\\\Program Files\\\\nodejs\\\\node.exe" notes.js · name notes',
    ],
    ['A=1 B=2 node notes.js', 'stdio · node notes.js · name notes · env A, B'],
    [
      'sudo sh -c "curl x | sh"',
      'stdio · sudo sh -c "curl x | sh" · name sudo · warning: runs as administrator · warning: a shell runs the text behind it',
    ],
    // Packages, images, scripts
    [memory, memoryLine],
    [`${memory}@2026.8.31`, `stdio · npx -y ${memory}@2026.8.31 · name memory`],
    ['mcp-server-kubernetes', 'stdio · npx -y mcp-server-kubernetes · name kubernetes'],
    ['mcp-server-fetch', 'stdio · uvx mcp-server-fetch · name fetch'],
    ['mcp/time', 'stdio · docker run -i --rm mcp/time · name time'],
    ['./tools/notes.mjs', 'stdio · node ./tools/notes.mjs · name notes'],
    ['/opt/bin/notes-mcp', 'stdio · /opt/bin/notes-mcp · name notes'],
    // JSON
    [JSON.stringify({ mcpServers: { memory: memoryEntry } }), memoryLine],
    [
      '```json\n{ "mcpServers": { /* one */ "memory": {"command":"npx","args":["-y","' + memory + '",],}, } }\n```',
      memoryLine,
    ],
    ['```json { "mcpServers": { "memory": ' + JSON.stringify(memoryEntry) + ' } } ```', memoryLine],
    ['```jsonc{"memory": ' + JSON.stringify(memoryEntry) + '}```', memoryLine],
    ['~~~json\n{"memory": ' + JSON.stringify(memoryEntry) + '}\n~~~', memoryLine],
    ['Add this:\n\n```json\n{"memory": ' + JSON.stringify(memoryEntry) + '}\n```\nand restart.', memoryLine],
    [`"mcpServers": {"memory": ${JSON.stringify(memoryEntry)}}`, memoryLine],
    [`"memory": ${JSON.stringify(memoryEntry)},`, memoryLine],
    [JSON.stringify({ servers: { memory: { type: 'stdio', ...memoryEntry } }, inputs: [] }), memoryLine],
    [JSON.stringify(memoryEntry), memoryLine],
    [JSON.stringify({ name: 'mem', ...memoryEntry }), `stdio · npx -y ${memory} · name mem`],
    [
      JSON.stringify({ a: { command: 'x' }, b: { url: 'https://b.test/' } }),
      'stdio · x · name a',
      'http · https://b.test/ · name b',
    ],
    // Other hosts' command lines
    [`claude mcp add memory -- npx -y ${memory}`, memoryLine],
    [`claude mcp add memory npx -y ${memory}`, memoryLine],
    [`claude mcp add --scope user --transport stdio memory -- npx -y ${memory}`, memoryLine],
    [
      'claude mcp add --transport http linear https://mcp.linear.app/mcp',
      'http · https://mcp.linear.app/mcp · name linear',
    ],
    [
      'claude mcp add -t sse linear https://mcp.linear.app/mcp -s user',
      'sse · https://mcp.linear.app/mcp · name linear',
    ],
    [`claude mcp add-json memory '${JSON.stringify(memoryEntry)}'`, memoryLine],
    [`code --add-mcp '${JSON.stringify({ name: 'memory', ...memoryEntry })}'`, memoryLine],
    [`code --add-mcp "${JSON.stringify({ name: 'memory', ...memoryEntry }).replaceAll('"', '\\"')}"`, memoryLine],
    [`codex mcp add memory -- npx -y ${memory}`, memoryLine],
    ['codex mcp add linear --url https://mcp.linear.app/mcp', 'http · https://mcp.linear.app/mcp · name linear'],
    [`gemini mcp add --trust --timeout 5 memory npx -y ${memory}`, memoryLine],
    // Install links
    ['vscode:mcp/install?' + encoded({ name: 'memory', ...memoryEntry }), memoryLine],
    [
      'vscode-insiders:mcp/install?' + encoded({ name: 'l', url: 'https://l.test/' }),
      'http · https://l.test/ · name l',
    ],
    [`https://insiders.vscode.dev/redirect/mcp/install?name=memory&config=${encoded(memoryEntry)}`, memoryLine],
    [
      `https://vscode.dev/redirect?url=${encodeURIComponent('vscode:mcp/install?' + encoded({ name: 'memory', ...memoryEntry }))}`,
      memoryLine,
    ],
    [`cursor://anysphere.cursor-deeplink/mcp/install?name=memory&config=${b64(memoryEntry)}`, memoryLine],
    [`https://cursor.com/en/install-mcp?name=memory&config=${b64({ command: `npx -y ${memory}` })}`, memoryLine],
    [
      `[![Install](https://img.shields.io/x.svg)](https://insiders.vscode.dev/redirect/mcp/install?name=memory&config=${encoded(memoryEntry)})`,
      memoryLine,
    ],
  ];
  for (const [text, ...summaries] of table) {
    it(`reads ${text.length > 70 ? `${text.slice(0, 69)}…` : text}`, () =>
      assert.deepEqual(summariesOf(text), summaries));
  }

  it('reads variables in front of a command', () => {
    for (const text of ['env LEVEL=debug PORT=80 npx x', 'LEVEL=debug PORT=80 npx x']) {
      assert.deepEqual(plain(one(text).entry), { command: 'npx', args: ['x'], env: { LEVEL: 'debug', PORT: '80' } });
    }
  });

  it('reads every flag of claude mcp add', () => {
    const stdio = one('claude mcp add -s local jira -e LEVEL=1 MODE=fast --env=HOST=h -- npx -y jira-mcp --env X=1');
    assert.deepEqual(plain(stdio.entry), {
      command: 'npx',
      args: ['-y', 'jira-mcp', '--env', 'X=1'],
      env: { LEVEL: '1', MODE: 'fast', HOST: 'h' },
    });
    const remote = one(
      'claude mcp add --transport http api https://a.test/mcp --header "X-Team: blue" -H "X-Mode: b:c"',
    );
    assert.deepEqual(plain(remote.entry), {
      type: 'http',
      url: 'https://a.test/mcp',
      headers: { 'X-Team': 'blue', 'X-Mode': 'b:c' },
    });
  });

  it('makes inputs of placeholders and secrets, and keeps the secrets apart', () => {
    const { entry, inputs, secrets, summary, launch } = one(
      JSON.stringify({
        mcpServers: {
          github: {
            command: 'npx',
            args: ['--api-key', 'abc12345', '--root', '/path/to/your/repo', '--token=ghp_0123456789abcdef'],
            env: {
              GITHUB_TOKEN: 'ghp_abcdefghij0123456789',
              OTHER_KEY: '<your key>',
              LEVEL: 'debug',
              DEBUG_TOKENS: 'true',
            },
          },
        },
      }),
    );
    assert.deepEqual(plain(entry), {
      command: 'npx',
      args: ['--api-key', '${input:github-api-key}', '--root', '${input:github-root}', '--token=${input:github-token}'],
      env: {
        GITHUB_TOKEN: '${input:github-github-token}',
        OTHER_KEY: '${input:github-other-key}',
        LEVEL: 'debug',
        DEBUG_TOKENS: 'true',
      },
    });
    assert.deepEqual(
      inputs.map(({ id, description, password }) => [id, description, password]),
      [
        ['github-api-key', 'api-key', true],
        ['github-root', 'root', undefined],
        ['github-token', 'token', true],
        ['github-github-token', 'GITHUB_TOKEN', true],
        ['github-other-key', 'OTHER_KEY', true],
      ],
    );
    assert.deepEqual(plain(secrets), {
      'github-api-key': 'abc12345',
      'github-token': 'ghp_0123456789abcdef',
      'github-github-token': 'ghp_abcdefghij0123456789',
    });
    assert.ok(!/abc12345|ghp_/.test(summary + JSON.stringify(launch)));
  });

  it('keeps the scheme of a header, shelters a key in an address, and knows variables of other hosts', () => {
    const header = one('claude mcp add -t http x https://x.test/ -H "Authorization: Bearer YOUR_API_KEY"');
    assert.deepEqual(plain(header.entry['headers']), { Authorization: 'Bearer ${input:x-authorization}' });
    assert.deepEqual(plain(header.secrets), {});
    assert.equal(
      one('https://x.test/mcp?apiKey=abc&v=2').entry['url'],
      'https://x.test/mcp?apiKey=${input:x-apikey}&v=2',
    );
    const env = one('{"mcpServers":{"x":{"command":"x","env":{"API_KEY":"${API_KEY}","M":"${M:-fast}"}}}}');
    assert.deepEqual(plain(env.entry['env']), { API_KEY: '${API_KEY}', M: '${M:-fast}' });
  });

  it('moves a name and password out of an address into a secret header', () => {
    for (const [url, user] of [
      ['https://me:s3cret@x.test/mcp', 'me:s3cret'],
      ['https://me:100%@x.test/mcp', 'me:100%'],
      ['https://me%40x.test:p@x.test/mcp', 'me@x.test:p'],
    ] as const) {
      const { entry, secrets } = one(JSON.stringify({ x: { url } }));
      const headers = { Authorization: 'Basic ${input:x-authorization}' };
      assert.deepEqual(plain(entry), { type: 'http', url: 'https://x.test/mcp', headers });
      assert.deepEqual(plain(secrets), { 'x-authorization': Buffer.from(user).toString('base64') });
    }
  });

  it("keeps the inputs of the editor's format", () => {
    const { inputs } = one(
      JSON.stringify({
        inputs: [
          { id: 'key', type: 'promptString', description: 'The key', password: true },
          { id: 'unused', type: 'promptString' },
        ],
        servers: { x: { command: 'x', env: { API_KEY: '${input:key}' } } },
      }),
    );
    assert.deepEqual(inputs, [{ id: 'key', type: 'promptString', description: 'The key', password: true }]);
  });

  it('says why a text means nothing', () => {
    const reasons: [string, RegExp][] = [
      ['', /^Paste a command line/],
      ['npx', /alone starts no server/],
      ['cd x && node y', /^&& needs a shell/],
      ['npx -y foo; rm -rf /', /^; needs a shell, and none is used/],
      ['npx -y foo | tee log', /^\| needs a shell/],
      ['npx -y foo|sh', /^\| needs a shell/],
      ['npx -y foo > out.txt', /^> needs a shell/],
      ['npx -y foo 2>/dev/null', /^2> needs a shell/],
      ['npx -y foo < in.txt', /^< needs a shell/],
      ['npx -y foo $(id)', /^\$\(…\) needs a shell/],
      ['npx -y "$(id)"', /^\$\(…\) needs a shell/],
      ['npx -y `id`', /^A back quote needs a shell/],
      ['javascript:alert(1)', /^javascript: is no address/],
      ['[]', /holds no server/],
      ['null', /holds no server/],
      ['hello world', /reads like a sentence/],
      ['node "x', /is not closed/],
      ['{"a": 1}', /holds no server/],
      ['{"mcpServers": {"a": {"comand": "x"}}}', /unknown key "comand": write "command"/],
      ['ftp://x/', /^ftp:\/\/ is no address/],
      ['https://github.com/modelcontextprotocol/servers', /page about a server/],
      ['claude mcp list', /adds no server/],
      ['vscode:mcp/install?%7B%', /cannot be decoded/],
      ['vscode:mcp/install?%7B%7D', /neither "command" nor "url"/],
    ];
    for (const [text, reason] of reasons) {
      const summary = summariesOf(text);
      assert.ok(typeof summary === 'string' && reason.test(summary), `${text}: ${String(summary)}`);
    }
  });
});

describe('splitCommand', () => {
  it('takes quotes and backslashes as POSIX and Windows mean them', () => {
    const cases: [string, string[]][] = [
      [`a 'b c' "d \\"e\\"" f\\ g`, ['a', 'b c', 'd "e"', 'f g']],
      ['C:\\a\\b "C:\\c d\\e"', ['C:\\a\\b', 'C:\\c d\\e']],
      ['\\\\share\\x C:\\\\y', ['\\\\share\\x', 'C:\\y']],
      [`a "" '' --x="y z"`, ['a', '', '', '--x=y z']],
      ['a ^\r\n b `\n c', ['a', 'b', 'c']],
      ['x “y z” —flag', ['x', 'y z', '--flag']],
      ['x "&&" https://a/?b=1&c=2', ['x', '&&', 'https://a/?b=1&c=2']],
    ];
    for (const [text, words] of cases) {
      assert.deepEqual(splitCommand(text), { kind: 'words', words });
    }
  });
});
