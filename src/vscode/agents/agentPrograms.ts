import { posix, win32 } from 'node:path';
import type { AgentEntry, AgentProgram, AgentSurroundings, EntryForm } from './agentTypes';

/** The agents whose configuration Portico knows, in the order of the pick. Their own documentation is the source. */
export const agentPrograms: readonly AgentProgram[] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    file: ({ env, ...at }) => {
      const folder = env['CLAUDE_CONFIG_DIR'];
      return folder ? join(at, folder, '.claude.json') : join(at, at.home, '.claude.json');
    },
    format: 'json',
    section: 'mcpServers',
    takesUrls: true,
    entry: typedEntry,
    afterwards: 'Claude Code reads it at its next start.',
  },
  {
    id: 'codex',
    label: 'Codex',
    file: ({ env, ...at }) => join(at, env['CODEX_HOME'] || join(at, at.home, '.codex'), 'config.toml'),
    format: 'toml',
    section: 'mcp_servers',
    takesUrls: true,
    entry: (entry) => (entry.kind === 'bridge' ? plainEntry(entry) : { url: entry.url, http_headers: entry.headers }),
    afterwards: 'Codex reads it at its next start.',
  },
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    file: (at) => join(at, at.home, '.gemini', 'settings.json'),
    format: 'json',
    section: 'mcpServers',
    takesUrls: true,
    entry: (entry) => (entry.kind === 'bridge' ? plainEntry(entry) : { httpUrl: entry.url, headers: entry.headers }),
    afterwards: 'Gemini CLI reads it at its next start.',
  },
  {
    id: 'cursor',
    label: 'Cursor',
    file: (at) => join(at, at.home, '.cursor', 'mcp.json'),
    format: 'json',
    section: 'mcpServers',
    takesUrls: true,
    entry: plainEntry,
    afterwards: 'Turn the server on in the MCP settings of Cursor.',
  },
  {
    id: 'copilot-cli',
    label: 'GitHub Copilot CLI',
    file: ({ env, ...at }) => join(at, env['COPILOT_HOME'] || join(at, at.home, '.copilot'), 'mcp-config.json'),
    format: 'json',
    section: 'mcpServers',
    takesUrls: true,
    entry: (entry) => ({ type: entry.kind === 'bridge' ? 'local' : 'http', ...plainEntry(entry), tools: ['*'] }),
    afterwards: 'Copilot CLI reads it at its next start.',
  },
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    file: claudeDesktopFile,
    format: 'json',
    section: 'mcpServers',
    takesUrls: false,
    entry: plainEntry,
    afterwards: 'Quit Claude Desktop and start it again.',
  },
];

/** For an agent that Portico does not know: the form that most read, as `.mcp.json` has it. */
export const anyProgram: EntryForm = { format: 'json', section: 'mcpServers', entry: typedEntry };

function typedEntry(entry: AgentEntry): Readonly<Record<string, unknown>> {
  return { type: entry.kind === 'bridge' ? 'stdio' : 'http', ...plainEntry(entry) };
}

function plainEntry(entry: AgentEntry): Readonly<Record<string, unknown>> {
  if (entry.kind === 'url') {
    return { url: entry.url, headers: entry.headers };
  }
  const { command, args, env } = entry;
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function claudeDesktopFile({ platform, home, env }: AgentSurroundings): string {
  const name = 'claude_desktop_config.json';
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] || win32.join(home, 'AppData', 'Roaming'), 'Claude', name);
  }
  return platform === 'darwin'
    ? posix.join(home, 'Library', 'Application Support', 'Claude', name)
    : posix.join(env['XDG_CONFIG_HOME'] || posix.join(home, '.config'), 'Claude', name);
}

function join({ platform }: Pick<AgentSurroundings, 'platform'>, ...parts: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}
