import type { Launch, SettingsLayer, SourceScope, WorkspaceFolder } from '../../../../src/core/config/configTypes';
import type { RootSettings } from '../../../../src/core/clientFeatures/rootLists';

export const folder = (path: string, name = path.split(/[\\/]/).at(-1) ?? ''): WorkspaceFolder => ({
  name,
  uri: `file://${path}`,
  path,
});

/** A folder as a virtual workspace has it. */
export const virtual: WorkspaceFolder = { name: 'remote', uri: 'vscode-vfs://github/some/repository' };

export const layer = (value: unknown, scope: SourceScope = 'user'): SettingsLayer => ({ scope, value });

export const rootSettings = (more: Partial<RootSettings> = {}): RootSettings => ({
  folders: [],
  include: [],
  exclude: [],
  home: '/home/me',
  platform: 'linux',
  ...more,
});

export const stdio: Launch = { type: 'stdio', command: 'x', args: [], env: {} };
export const remote = (url: string): Launch => ({ type: 'http', url, headers: {} });
