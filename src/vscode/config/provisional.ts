import { join } from 'node:path';
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { workspace } from 'vscode';
import { PorticoError } from '../../base/errors';
import type { ConfigInputs, SettingsLayer, SourceKind, VariableSource } from '../../core/config/configTypes';

/** Stands in until the folder's own reader of settings and variables is there. */
export function provisionalInputs(sources: ReadonlySignal<readonly SourceKind[]>): ConfigInputs {
  const folders = signal(
    (workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, uri: uri.toString(), path: uri.fsPath })),
  );
  const read = (): SettingsLayer[] => {
    const inspected = workspace.getConfiguration('portico').inspect('servers');
    const folder = folders.peek()[0];
    const file = folder && join(folder.path, '.vscode/settings.json');
    return [
      { scope: 'workspace' as const, value: inspected?.workspaceValue, ...(file ? { file } : {}) },
      { scope: 'user' as const, value: inspected?.globalValue },
    ].filter(({ value }) => value !== undefined);
  };
  const settings = signal(read());
  workspace.onDidChangeConfiguration(() => (settings.value = read()));
  return { folders, settings, sources };
}

export const provisionalVariables: VariableSource = {
  env: (name) => process.env[name],
  config: (name) => workspace.getConfiguration().get(name),
  input: async ({ id }, server) => {
    throw new PorticoError('INPUT_MISSING', `"${server}" needs a value for "${id}".`, { server });
  },
};
