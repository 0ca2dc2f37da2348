import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigSource } from '../core/config/configTypes';

/** What a document is to the config reader, by its path; nothing where it is no config file. */
export function sourceOf(uri: string, userMcpJson: string | undefined): ConfigSource | undefined {
  // The editor shows the user's own files under a scheme of its own.
  const file = pathOf(uri.replace(/^vscode-userdata:\/*/, 'file:///'));
  if (file === undefined) {
    return undefined;
  }
  const name = basename(file);
  const inVscode = /[\\/]\.vscode[\\/][^\\/]+$/.test(file);
  if (name === '.mcp.json') {
    return { id: name, kind: 'mcpJson', scope: 'folder', label: '.mcp.json', file };
  }
  if (name === 'mcp.json' && inVscode) {
    return { id: '.vscode/mcp.json', kind: 'vscodeMcpJson', scope: 'folder', label: '.vscode/mcp.json', file };
  }
  if (userMcpJson !== undefined && samePath(file, userMcpJson)) {
    return { id: 'user', kind: 'userMcpJson', scope: 'user', label: 'user mcp.json', file };
  }
  if (name === 'settings.json' || name.endsWith('.code-workspace')) {
    const scope = inVscode || name !== 'settings.json' ? 'workspace' : 'user';
    return { id: `settings:${scope}`, kind: 'settings', scope, label: `${scope} settings`, file };
  }
  return undefined;
}

function pathOf(uri: string): string | undefined {
  return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
}

function samePath(a: string, b: string): boolean {
  return a === b || (process.platform !== 'linux' && a.toLowerCase() === b.toLowerCase());
}
