import { commands, ConfigurationTarget, Uri, window, workspace } from 'vscode';
import type { ConfigPlace, ConfigSource } from '../../core/config/configTypes';
import { settings } from '../../ids';
import { openPlace } from '../interop/uris';

/** Opens the configuration at an entry or a fault; where its place is unknown, the file or settings that hold it. */
export async function openEntry(source: ConfigSource, place: ConfigPlace | undefined): Promise<void> {
  if (place) {
    await openPlace(place);
  } else if (source.file !== undefined) {
    await window.showTextDocument(await workspace.openTextDocument(Uri.file(source.file)));
  } else {
    const revealSetting = { key: settings.servers, edit: false };
    await commands.executeCommand(settingsCommands[source.scope], { revealSetting });
  }
}

const settingsCommands = {
  user: 'workbench.action.openSettingsJson',
  workspace: 'workbench.action.openWorkspaceSettingsFile',
  folder: 'workbench.action.openFolderSettingsFile',
} as const;

/** Where a source's settings are written. */
export function targetOf(source: ConfigSource): ConfigurationTarget {
  return {
    user: ConfigurationTarget.Global,
    workspace: ConfigurationTarget.Workspace,
    folder: ConfigurationTarget.WorkspaceFolder,
  }[source.scope];
}
