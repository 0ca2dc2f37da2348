import assert from 'node:assert/strict';
import { agentPrograms } from '../../../../src/vscode/agents/agentPrograms';
import type { AgentEntry } from '../../../../src/vscode/agents/agentTypes';

const linux = { platform: 'linux', home: '/home/a', env: {} } as const;
const windows = {
  platform: 'win32',
  home: 'C:\\Users\\a',
  env: { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' },
} as const;
const bridge: AgentEntry = { kind: 'bridge', command: 'node', args: ['/l.mjs', '--editor'], env: {} };
const url: AgentEntry = { kind: 'url', url: 'http://127.0.0.1:5000/editor', headers: { Authorization: 'Bearer t' } };

function entries(entry: AgentEntry): Readonly<Record<string, unknown>> {
  return Object.fromEntries(agentPrograms.map((program) => [program.id, program.entry(entry)]));
}

describe('agents', () => {
  it('keep their configuration where their documentation says', () => {
    const files = (at: Parameters<(typeof agentPrograms)[number]['file']>[0]): readonly string[] =>
      agentPrograms.map((program) => program.file(at));
    assert.deepEqual(files(linux), [
      '/home/a/.claude.json',
      '/home/a/.codex/config.toml',
      '/home/a/.gemini/settings.json',
      '/home/a/.cursor/mcp.json',
      '/home/a/.copilot/mcp-config.json',
      '/home/a/.config/Claude/claude_desktop_config.json',
    ]);
    assert.deepEqual(files(windows), [
      'C:\\Users\\a\\.claude.json',
      'C:\\Users\\a\\.codex\\config.toml',
      'C:\\Users\\a\\.gemini\\settings.json',
      'C:\\Users\\a\\.cursor\\mcp.json',
      'C:\\Users\\a\\.copilot\\mcp-config.json',
      'C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ]);
    const moved = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', COPILOT_HOME: '/p', XDG_CONFIG_HOME: '/g' };
    assert.deepEqual(files({ ...linux, env: moved }), [
      '/c/.claude.json',
      '/x/config.toml',
      '/home/a/.gemini/settings.json',
      '/home/a/.cursor/mcp.json',
      '/p/mcp-config.json',
      '/g/Claude/claude_desktop_config.json',
    ]);
    assert.equal(
      files({ platform: 'darwin', home: '/Users/a', env: {} }).at(-1),
      '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
    );
  });

  it('are given the bridge each in its own form', () => {
    const plain = { command: 'node', args: ['/l.mjs', '--editor'] };
    assert.deepEqual(entries(bridge), {
      'claude-code': { type: 'stdio', ...plain },
      codex: plain,
      'gemini-cli': plain,
      cursor: plain,
      'copilot-cli': { type: 'local', ...plain, tools: ['*'] },
      'claude-desktop': plain,
    });
  });

  it('are given an address each in its own form', () => {
    const headers = { Authorization: 'Bearer t' };
    const at = 'http://127.0.0.1:5000/editor';
    const { 'claude-desktop': _, ...others } = entries(url);
    assert.deepEqual(others, {
      'claude-code': { type: 'http', url: at, headers },
      codex: { url: at, http_headers: headers },
      'gemini-cli': { httpUrl: at, headers },
      cursor: { url: at, headers },
      'copilot-cli': { type: 'http', url: at, headers, tools: ['*'] },
    });
    assert.deepEqual(
      agentPrograms.filter(({ takesUrls }) => !takesUrls).map(({ id }) => id),
      ['claude-desktop'],
    );
  });
});
