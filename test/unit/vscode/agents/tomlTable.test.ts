import assert from 'node:assert/strict';
import { parse } from 'smol-toml';
import { PorticoError } from '../../../../src/base/errors';
import { setTomlTable } from '../../../../src/vscode/agents/tomlTable';

const path = ['mcp_servers', 'portico-editor'] as const;
const table = { command: 'node', args: ['/a b/launcher.mjs', '--editor'] };
const block = '[mcp_servers.portico-editor]\ncommand = "node"\nargs = [ "/a b/launcher.mjs", "--editor" ]';

describe('a table in TOML', () => {
  it('is the whole of an empty file', () => {
    assert.equal(setTomlTable('', path, table), `${block}\n`);
  });

  it('goes to the end, and every other line stays', () => {
    const text = '# mine\nmodel = "o"\n\n[mcp_servers.other]\ncommand = "x" # why\n\n\n';
    assert.equal(
      setTomlTable(text, path, table),
      `# mine\nmodel = "o"\n\n[mcp_servers.other]\ncommand = "x" # why\n\n${block}\n`,
    );
  });

  it('takes the place of the old one with its subtables', () => {
    const text =
      '[ mcp_servers . "portico-editor" ] # old\ncommand = "old"\n[mcp_servers.portico-editor.env]\nA = "1"\n\n# of b\n[b]\nx = 1\n';
    assert.equal(setTomlTable(text, path, table), `${block}\n\n# of b\n[b]\nx = 1\n`);
  });

  it('is the same after the second time', () => {
    const once = setTomlTable('[a]\nb = 1\n', path, table);
    assert.equal(setTomlTable(once, path, table), once);
  });

  it('keeps the line ends of Windows', () => {
    assert.equal(
      setTomlTable('[a]\r\nb = 1\r\n', path, table),
      `[a]\r\nb = 1\r\n\r\n${block.replaceAll('\n', '\r\n')}\r\n`,
    );
  });

  it('holds subtables', () => {
    const after = setTomlTable('', path, {
      url: 'http://127.0.0.1:1/editor',
      http_headers: { Authorization: 'Bearer t' },
    });
    assert.deepEqual(JSON.parse(JSON.stringify(parse(after))), {
      mcp_servers: {
        'portico-editor': { url: 'http://127.0.0.1:1/editor', http_headers: { Authorization: 'Bearer t' } },
      },
    });
  });

  for (const [title, text] of [
    ['servers in one inline table', 'mcp_servers = { other = { command = "x" } }\n'],
    ['an array that looks like a header', '[mcp_servers.portico-editor]\nargs = [\n["mcp"]\n]\n[a]\nb = 1\n'],
    ['dotted keys', '[mcp_servers]\nportico-editor.command = "old"\n'],
    ['what is not TOML', 'model = \n'],
  ] as const) {
    it(`is refused rather than breaking ${title}`, () => {
      assert.throws(
        () => setTomlTable(text, path, table),
        (error: unknown) => error instanceof PorticoError && error.code === 'CONFIG_WRITE_FAILED',
      );
    });
  }
});
