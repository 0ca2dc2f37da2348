import { type ReadonlySignal, signal } from '@preact/signals-core';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ConfigInputs, SettingsLayer, SourceKind, WorkspaceFolder } from '../../core/config/configTypes';
import { settings } from '../../ids';

/** What the editor tells the config reader, live: folders, `portico.servers` at each scope, the user's `mcp.json`. */
export function editorConfigInputs(
  globalStorageUri: Uri,
  sources: ReadonlySignal<readonly SourceKind[]>,
): ConfigInputs & Disposable {
  const store = new DisposableStore();
  const userFolder = userDataOf(globalStorageUri);
  const folders = signal(readFolders());
  const layers = signal(readLayers(userFolder));
  store.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      folders.value = readFolders();
      layers.value = readLayers(userFolder);
    }),
  );
  store.add(
    // Any setting may stand in an entry as `${config:x}`; what is the same afterwards changes nothing.
    workspace.onDidChangeConfiguration(() => (layers.value = readLayers(userFolder))),
  );
  return {
    folders,
    settings: layers,
    sources,
    ...(userFolder === undefined ? {} : { userMcpJson: join(userFolder, 'mcp.json') }),
    dispose: () => store.dispose(),
  };
}

/** The profile's folder holds `settings.json`, `mcp.json` and `globalStorage/<extension>`. */
function userDataOf(globalStorageUri: Uri): string | undefined {
  return globalStorageUri.scheme === 'file' ? dirname(dirname(globalStorageUri.fsPath)) : undefined;
}

function readFolders(): readonly WorkspaceFolder[] {
  return (workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    uri: uri.toString(),
    ...(uri.scheme === 'file' ? { path: uri.fsPath } : {}),
  }));
}

function readLayers(userFolder: string | undefined): readonly SettingsLayer[] {
  const folders = readFolders();
  const layers: SettingsLayer[] = [];
  // In a window of one folder, the folder's settings are the workspace's.
  for (const folder of workspace.workspaceFile === undefined ? [] : folders) {
    const uri = workspace.workspaceFolders?.find((candidate) => candidate.uri.toString() === folder.uri)?.uri;
    const value = workspace.getConfiguration(undefined, uri).inspect<unknown>(settings.servers)?.workspaceFolderValue;
    layers.push({ scope: 'folder', folder, value, ...settingsFile(folder) });
  }
  const inspected = workspace.getConfiguration(undefined, null).inspect<unknown>(settings.servers);
  layers.push({ scope: 'workspace', value: inspected?.workspaceValue, ...workspaceFile(folders[0]) });
  layers.push({ scope: 'user', value: inspected?.globalValue, ...userFile(userFolder) });
  return layers.filter(({ value }) => value !== undefined);
}

function workspaceFile(first: WorkspaceFolder | undefined): { readonly file?: string } {
  const { workspaceFile: file } = workspace;
  if (file !== undefined) {
    return file.scheme === 'file' ? { file: file.fsPath } : {};
  }
  return first === undefined ? {} : settingsFile(first);
}

function settingsFile({ path }: WorkspaceFolder): { readonly file?: string } {
  return path === undefined ? {} : { file: join(path, '.vscode', 'settings.json') };
}

/** In a remote window the user's settings are kept where the window is, out of reach from here. */
function userFile(userFolder: string | undefined): { readonly file?: string } {
  const file = userFolder === undefined ? undefined : join(userFolder, 'settings.json');
  return file !== undefined && existsSync(file) ? { file } : {};
}
