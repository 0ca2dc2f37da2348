import { type QuickPickItem, workspace } from 'vscode';
import { join } from 'node:path';
import type { ConfigSource, WorkspaceFolder } from '../../core/config/configTypes';
import type { Hub } from '../../core/hubTypes';

/** A place that can take a new entry. */
export interface Target extends QuickPickItem {
  readonly source: ConfigSource;
  /** In the middle of a sentence: "your settings". */
  readonly words: string;
}

/** Where a new server can be kept, as they are asked for; folders that are not on this machine have no files. */
export function targets(hub: Hub): readonly Target[] {
  const folders = (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }): WorkspaceFolder => ({ name, uri: uri.toString(), path: uri.fsPath }));
  const list: Target[] = [
    {
      label: 'All my windows',
      description: 'your settings',
      detail: 'Run by Portico, for you alone',
      words: 'your settings',
      source: known(hub, { id: 'settings:user', kind: 'settings', scope: 'user', label: 'user settings' }),
    },
  ];
  if (workspace.workspaceFile ?? folders.length > 0) {
    list.push({
      label: 'This workspace',
      description: 'workspace settings',
      detail: 'Run by Portico, for whoever opens this workspace and agrees',
      words: 'the workspace settings',
      source: known(hub, {
        ...workspaceSettings(folders),
        kind: 'settings',
        scope: 'workspace',
        label: 'workspace settings',
      }),
    });
  }
  for (const folder of folders) {
    const label = folders.length > 1 ? `${folder.name}/.mcp.json` : '.mcp.json';
    list.push({
      label,
      detail: 'Run by VS Code and by other agents that read this file',
      words: label,
      source: {
        id: label,
        kind: 'mcpJson',
        scope: 'folder',
        label,
        file: join(folder.path ?? '', '.mcp.json'),
        folder,
      },
    });
  }
  return list;
}

function workspaceSettings(folders: readonly WorkspaceFolder[]): Pick<ConfigSource, 'id' | 'file'> {
  const id = 'settings:workspace';
  if (workspace.workspaceFile) {
    return workspace.workspaceFile.scheme === 'file' ? { id, file: workspace.workspaceFile.fsPath } : { id };
  }
  const path = folders[0]?.path;
  return path === undefined ? { id } : { id, file: join(path, '.vscode', 'settings.json') };
}

/** The source as it has been read, which may know its file. */
function known(hub: Hub, source: ConfigSource): ConfigSource {
  return hub.servers.peek().find(({ definition }) => definition.source.id === source.id)?.definition.source ?? source;
}
