import { type ReadonlySignal, signal } from '@preact/signals-core';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ConfigInputs, SettingsLayer, SourceKind, WorkspaceFolder } from '../../core/config/configTypes';
import { settings } from '../../ids';
import { openFolders, settingsLayers } from '../interop/settingsLayers';

/** What the editor tells the config reader, live: folders, `portico.servers` at each scope, the user's `mcp.json`. */
export function editorConfigInputs(
  globalStorageUri: Uri,
  sources: ReadonlySignal<readonly SourceKind[]>,
): ConfigInputs & Disposable {
  const store = new DisposableStore();
  const userFolder = userDataOf(globalStorageUri);
  const folders = signal(openFolders());
  const layers = signal(readLayers(userFolder));
  store.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      folders.value = openFolders();
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

function readLayers(userFolder: string | undefined): readonly SettingsLayer[] {
  const [first] = openFolders();
  return settingsLayers(settings.servers).map((layer) => ({ ...layer, ...fileOf(layer, first, userFolder) }));
}

function fileOf(
  { scope, folder }: SettingsLayer,
  first: WorkspaceFolder | undefined,
  userFolder: string | undefined,
): { readonly file?: string } {
  switch (scope) {
    case 'folder':
      return folder ? settingsFile(folder) : {};
    case 'workspace':
      return workspaceFile(first);
    case 'user':
      return userFile(userFolder);
  }
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
