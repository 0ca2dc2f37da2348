import assert from 'node:assert/strict';
import type { ConfigSource } from '../../../../src/core/config/configTypes';
import { readConfigText } from '../../../../src/core/config/readSource';
import { parseEnvFile } from '../../../../src/core/config/envFile';
import { meantKey } from '../../../../src/core/config/typo';

const mcpJson: ConfigSource = {
  id: '.mcp.json',
  kind: 'mcpJson',
  scope: 'folder',
  label: '.mcp.json',
  file: '/w/.mcp.json',
};
const anyFile: ConfigSource = { id: 'c.json', kind: 'file', scope: 'user', label: 'c.json', file: '/c.json' };
const entryOf = (entry: unknown) => readConfigText(JSON.stringify({ mcpServers: { s: entry } }), mcpJson);
const messagesOf = (entry: unknown): string[] => entryOf(entry).problems.map(({ message }) => message);

describe('readSource', () => {
  it('infers the type and knows its spellings', () => {
    const typeOf = (entry: unknown): string | undefined => entryOf(entry).entries[0]?.launch.type;
    assert.equal(typeOf({ command: 'x' }), 'stdio');
    assert.equal(typeOf({ url: 'http://a/' }), 'http');
    assert.equal(typeOf({ type: 'sse', url: 'http://a/' }), 'sse');
    for (const type of ['http', 'HTTP', 'streamable-http', 'streamableHttp', 'streamable_http']) {
      assert.equal(typeOf({ type, url: 'http://a/' }), 'http', type);
    }
    assert.equal(typeOf({ type: 'stdio', command: 'x', url: 'http://a/' }), 'stdio');
    assert.equal(typeOf({ httpUrl: 'http://a/' }), 'http');
  });

  it('refuses a text that is nested too deeply to be followed, and says where', () => {
    for (const text of [
      '[\n'.repeat(20_000),
      `{"mcpServers": {"s": {"x": ${'[\n'.repeat(9_000)}${']'.repeat(9_000)}}}}`,
    ]) {
      const { problems, unparsable, entries } = readConfigText(text, mcpJson);
      assert.match(
        problems[0]?.message ?? '',
        /^\.mcp\.json cannot be read as JSON: objects and lists are nested more than 200 levels deep \(line (198|201)\)\. Fix it there\.$/,
      );
      assert.deepEqual([problems.length, unparsable, entries.length], [1, true, 0]);
    }
    const deep = `{"mcpServers": {"s": {"command": "x"}}, "x": ["]", ${'['.repeat(190)}${']'.repeat(190)}]}`;
    assert.equal(readConfigText(deep, mcpJson).entries.length, 1);
  });

  it('names what is wrong with an entry and how to mend it', () => {
    const cases: [unknown, string][] = [
      ['npx', 'is not an object: write {"command": …} or {"url": …}.'],
      [{}, 'has neither "command" nor "url": add one of them.'],
      [{ command: 'x', url: 'http://a/' }, 'has both "command" and "url": keep one of them.'],
      [{ command: 5 }, 'has a "command" that is not a text: write the program\'s name or path.'],
      [{ command: 'x', args: 'y' }, 'has "args" that are not a list: write ["…", "…"].'],
      [{ command: 'x', args: ['a', {}] }, 'has an argument that is not a text at place 2 of "args".'],
      [{ command: 'x', env: ['A=1'] }, 'has "env" that is not an object: write {"NAME": "value"}.'],
      [{ command: 'x', env: { A: {} } }, 'has "A" in "env" that is not a text.'],
      [{ url: 'a.test/mcp' }, 'has an unusable "url" "a.test/mcp": write one that begins with http:// or https://.'],
      [{ type: 'http' }, 'has no "url": write the server\'s address.'],
      [{ type: 'ws', url: 'ws://a' }, 'has the unknown "type" "ws": write "stdio", "http" or "sse".'],
      [{ comand: 'x' }, 'has the unknown key "comand": write "command".'],
      [{ Command: 'x' }, 'has the unknown key "Command": write "command".'],
      [{ command: 'x', environment: {} }, 'has the unknown key "environment": write "env".'],
      [{ command: 'x', disabled: 'yes' }, 'has "disabled" that is neither true nor false.'],
    ];
    for (const [entry, words] of cases) {
      assert.deepEqual(messagesOf(entry), [`Server "s" in .mcp.json ${words}`]);
      assert.deepEqual(entryOf(entry).entries, []);
    }
  });

  it('lets unknown keys be', () => {
    const entry = { command: 'x', description: 'd', autoApprove: [], timeout: 5, gallery: true, dev: {}, uri: 'x' };
    assert.deepEqual(messagesOf(entry), []);
    assert.equal(meantKey('description'), undefined);
    assert.equal(meantKey('hedaers'), 'headers');
  });

  it('points at the place of a fault', () => {
    const text = '{\n  "mcpServers": {\n    "s": { "comand": "x" }\n  }\n}';
    const { place } = readConfigText(text, mcpJson).problems[0]!;
    assert.deepEqual([place?.line, text.slice(place!.offset, place!.offset + place!.length)], [2, '"comand"']);
  });

  it('keeps odd keys apart and safe', () => {
    const keys = ['__proto__', 'constructor', 'x'.repeat(200), 'with space', 'a/b\\c', 'données', 'fs', 'FS', '"'];
    const servers = keys.map((key) => `${JSON.stringify(key)}: {"command": "x", "env": {"__proto__": "1"}}`);
    const { entries, problems } = readConfigText(
      `\uFEFF{"mcpServers": {${servers.join()}, "": {"command": "x"}}}`,
      mcpJson,
    );
    assert.deepEqual(
      entries.map(({ key }) => key),
      keys,
    );
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['Server "" in .mcp.json has no name: write one between the quotes.'],
    );
    assert.equal(({} as Record<string, unknown>)['command'], undefined);
    const [first] = entries;
    assert.deepEqual(first?.launch.type === 'stdio' && Object.keys(first.launch.env), ['__proto__']);
  });

  it('says that a name stands twice and takes the last', () => {
    const { entries, problems } = readConfigText('{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}', mcpJson);
    assert.deepEqual(
      entries.map(({ launch }) => launch.type === 'stdio' && launch.command),
      ['y'],
    );
    assert.match(problems[0]?.message ?? '', /^Server "a" stands twice in \.mcp\.json/);
  });

  it('names the key that another host uses for the list', () => {
    const { problems } = readConfigText('{"servers": {"a": {"command": "x"}}}', mcpJson);
    assert.equal(problems[0]?.message, '.mcp.json has "servers" where "mcpServers" is read: rename it.');
  });

  it('reads a file of any known format', () => {
    const a = { a: { command: 'x' } };
    const formats: unknown[] = [
      { mcpServers: a },
      { servers: a, inputs: [] },
      { 'editor.fontSize': 12, 'portico.servers': a },
      { mcp: { servers: a } },
      { settings: { 'portico.servers': a }, folders: [] },
      a,
    ];
    for (const format of formats) {
      const { entries, problems } = readConfigText(JSON.stringify(format), anyFile);
      assert.deepEqual([entries.map(({ key }) => key), problems], [['a'], []], JSON.stringify(format));
    }
    const named = readConfigText('{"servers": {"command": "x"}}', anyFile);
    assert.deepEqual(
      named.entries.map(({ key }) => key),
      ['servers'],
    );
    assert.match(readConfigText('{"a": 1}', anyFile).problems[0]?.message ?? '', /^c\.json holds no servers/);
  });
});

describe('parseEnvFile', () => {
  it('reads quotes, export, comments and values over lines', () => {
    const text = [
      '# comment',
      'A=1 # one',
      "export B='two # not a comment'",
      'C="line\\none',
      'two \\"q\\""',
      '  D = spaced value ',
      'E=',
      'F=a#b',
      'G=`b`',
      'no assignment',
      'H=https://a.test/?x=1',
    ].join('\r\n');
    assert.deepEqual(
      [...parseEnvFile(text)],
      [
        ['A', '1'],
        ['B', 'two # not a comment'],
        ['C', 'line\none\ntwo "q"'],
        ['D', 'spaced value'],
        ['E', ''],
        ['F', 'a#b'],
        ['G', 'b'],
        ['H', 'https://a.test/?x=1'],
      ],
    );
  });
});
