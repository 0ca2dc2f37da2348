import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PorticoError } from '../../../../src/base/errors';
import * as edits from '../../../../src/core/config/configEdit';
import { type AgentEntries, entriesText, planChange, writeChange } from '../../../../src/vscode/agents/agentFile';
import { agentPrograms, anyProgram } from '../../../../src/vscode/agents/agentPrograms';

const [claudeCode, codex] = agentPrograms;
const entries: AgentEntries = {
  'portico-editor': { kind: 'bridge', command: 'node', args: ['/l.mjs', '--editor'], env: {} },
};
const byUrl: AgentEntries = {
  'portico-editor': { kind: 'url', url: 'http://127.0.0.1:5000/editor', headers: { Authorization: 'Bearer t' } },
};

describe('configuration of an agent', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ptest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const file = (...path: string[]): string => join(folder, ...path);
  const plan = (path: string, program = claudeCode) => {
    assert.ok(program);
    return planChange(program, entries, path, edits);
  };
  const after = async (text: string, program = claudeCode): Promise<string> => {
    writeFileSync(file('config'), text);
    return (await plan(file('config'), program)).after;
  };
  const entry = (indent: string, eol = '\n'): string =>
    JSON.stringify({ type: 'stdio', command: 'node', args: ['/l.mjs', '--editor'] }, undefined, indent)
      .split('\n')
      .join(eol + indent.repeat(2));

  it('keeps comments, indentation, line ends and the mark at its beginning', async () => {
    assert.equal(
      await after('\uFEFF{\r\n\t// Mine.\r\n\t"mcpServers": {\r\n\t\t"a": {} // A.\r\n\t},\r\n\t"z": 1\r\n}\r\n'),
      `\uFEFF{\r\n\t// Mine.\r\n\t"mcpServers": {\r\n\t\t"a": {}, // A.\r\n\t\t"portico-editor": ${entry('\t', '\r\n')}\r\n\t},\r\n\t"z": 1\r\n}\r\n`,
    );
    assert.equal(
      await after('{\n    "z": 1\n}'),
      `{\n    "z": 1,\n    "mcpServers": {\n        "portico-editor": ${entry('    ')}\n    }\n}`,
    );
    assert.equal(
      await after('\uFEFF# Mine.\r\nmodel = "o"\r\n', codex),
      '\uFEFF# Mine.\r\nmodel = "o"\r\n\r\n[mcp_servers.portico-editor]\r\ncommand = "node"\r\nargs = [ "/l.mjs", "--editor" ]\r\n',
    );
  });

  it('has one entry of a name, and of the way that was chosen last', async () => {
    writeFileSync(file('config'), '');
    assert.ok(claudeCode);
    const text = (await planChange(claudeCode, byUrl, file('config'), edits)).after;
    assert.equal(await after(text), await after(''));
    assert.equal(await after(await after('')), await after(''));
  });

  it('is made with its folder for the person alone, and taken away again', async () => {
    const path = file('.cursor', 'deep', 'mcp.json');
    const change = await plan(path);
    assert.equal(change.before, undefined);
    const undo = await writeChange(change);
    assert.equal(readFileSync(path, 'utf8'), change.after);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(await undo?.(), true);
    assert.deepEqual(readdirSync(file('.cursor', 'deep')), []);
  });

  it('keeps its mode, and the link that leads to it', async () => {
    mkdirSync(file('dotfiles'));
    writeFileSync(file('dotfiles', 'claude.json'), '{}\n');
    chmodSync(file('dotfiles', 'claude.json'), 0o664);
    symlinkSync(join('dotfiles', 'claude.json'), file('.claude.json'));
    const change = await plan(file('.claude.json'));
    const undo = await writeChange(change);
    assert.ok(lstatSync(file('.claude.json')).isSymbolicLink());
    assert.equal(readFileSync(file('dotfiles', 'claude.json'), 'utf8'), change.after);
    assert.equal(statSync(file('dotfiles', 'claude.json')).mode & 0o777, 0o664);
    assert.deepEqual(readdirSync(file('dotfiles')), ['claude.json']);
    assert.equal(await undo?.(), true);
    assert.equal(readFileSync(file('.claude.json'), 'utf8'), '{}\n');
    assert.ok(lstatSync(file('.claude.json')).isSymbolicLink());
  });

  it('is made where a link leads that leads nowhere yet', async () => {
    symlinkSync(join('dotfiles', 'claude.json'), file('.claude.json'));
    await writeChange(await plan(file('.claude.json')));
    assert.ok(lstatSync(file('.claude.json')).isSymbolicLink());
    assert.deepEqual(readdirSync(file('dotfiles')), ['claude.json']);
  });

  it('is not written where it was changed, made or removed meanwhile', async () => {
    const path = file('config.json');
    const fresh = await plan(path);
    writeFileSync(path, '{}');
    assert.equal(await writeChange(fresh), undefined);
    const known = await plan(path);
    writeFileSync(path, '{ }');
    assert.equal(await writeChange(known), undefined);
    assert.equal(readFileSync(path, 'utf8'), '{ }');
    rmSync(path);
    assert.equal(await writeChange(known), undefined);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is not taken back where it was changed since', async () => {
    const path = file('config.json');
    const undo = await writeChange(await plan(path));
    writeFileSync(path, '{}');
    assert.equal(await undo?.(), false);
    assert.equal(readFileSync(path, 'utf8'), '{}');
  });

  for (const [what, text, program, why] of [
    [
      'broken JSON',
      '{\n  "a": 1\n  "b": 2\n}\n',
      claudeCode,
      /: The file cannot be changed: .* \(line 3\)\. Mend it first\.$/,
    ],
    ['a list', '[]', claudeCode, /: "The file" is not an object: make it \{\} first\.$/],
    [
      'servers that are a list',
      '{ "mcpServers": [] }',
      claudeCode,
      /: "mcpServers" is not an object: make it \{\} first\.$/,
    ],
    ['broken TOML', 'model = \n', codex, /: The file is not valid TOML \(.*\)\. Mend it first\.$/],
    [
      'other bytes than UTF-8',
      Buffer.from([0xff, 0xfe, 0x7b, 0]),
      claudeCode,
      /: The file is not UTF-8\. Mend it first\.$/,
    ],
  ] as const) {
    it(`is left alone where it holds ${what}, and named`, async () => {
      writeFileSync(file('config'), text);
      await assert.rejects(
        plan(file('config'), program),
        (error: unknown) =>
          PorticoError.is(error, 'CONFIG_WRITE_FAILED') &&
          error.message.startsWith(file('config')) &&
          why.test(error.message),
      );
    });
  }

  it('is named where it cannot be read or written', async () => {
    mkdirSync(file('folder'));
    await assert.rejects(
      plan(file('folder')),
      (error: unknown) =>
        PorticoError.is(error, 'CONFIG_WRITE_FAILED') &&
        error.message.startsWith(`${file('folder')}: It cannot be read`),
    );
    const change = await plan(file('config', 'mcp.json'));
    writeFileSync(file('config'), '');
    await assert.rejects(
      writeChange(change),
      (error: unknown) =>
        PorticoError.is(error, 'CONFIG_WRITE_FAILED') && error.message.includes('It cannot be written'),
    );
  });

  it('is a text to copy, for any agent', () => {
    assert.deepEqual(JSON.parse(entriesText(anyProgram, byUrl, edits)), {
      mcpServers: {
        'portico-editor': {
          type: 'http',
          url: 'http://127.0.0.1:5000/editor',
          headers: { Authorization: 'Bearer t' },
        },
      },
    });
    assert.ok(codex);
    assert.equal(
      entriesText(codex, byUrl, edits),
      '[mcp_servers.portico-editor]\nurl = "http://127.0.0.1:5000/editor"\n\n[mcp_servers.portico-editor.http_headers]\nAuthorization = "Bearer t"\n',
    );
  });
});
