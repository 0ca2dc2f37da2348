import { workspace } from 'vscode';
import type { SettingsLayer, WorkspaceFolder } from '../../core/config/configTypes';

/** The open folders; `path` only where they are on this machine's file system. */
export function openFolders(): readonly WorkspaceFolder[] {
  return (workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    uri: uri.toString(),
    ...(uri.scheme === 'file' ? { path: uri.fsPath } : {}),
  }));
}

/** A setting's values as each scope has them, the narrowest first. In Restricted Mode the editor leaves out what it restricts. */
export function settingsLayers(id: string): readonly SettingsLayer[] {
  const layers: SettingsLayer[] = [];
  // In a window of one folder, the folder's settings are the workspace's.
  for (const folder of workspace.workspaceFile === undefined ? [] : openFolders()) {
    const uri = workspace.workspaceFolders?.find((candidate) => candidate.uri.toString() === folder.uri)?.uri;
    const value = workspace.getConfiguration(undefined, uri).inspect<unknown>(id)?.workspaceFolderValue;
    layers.push({ scope: 'folder', folder, value });
  }
  const inspected = workspace.getConfiguration(undefined, null).inspect<unknown>(id);
  layers.push({ scope: 'workspace', value: inspected?.workspaceValue });
  layers.push({ scope: 'user', value: inspected?.globalValue });
  return layers.filter(({ value }) => value !== undefined);
}
