import { commands, ConfigurationTarget, type QuickPickItem, QuickPickItemKind, window, workspace } from 'vscode';
import type { ServerDefinition } from '../../core/config/configTypes';
import { rootCandidates } from '../../core/clientFeatures/rootCandidates';
import { chooseRoots } from '../../core/clientFeatures/rootChoice';
import type { RootSettings } from '../../core/clientFeatures/rootLists';
import { isSamePath } from '../../core/clientFeatures/rootPaths';
import { boundedPresence, type IsDirectory } from '../../core/clientFeatures/rootPresence';
import { type ServerArgument, settings as settingIds } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { inertLine } from '../interop/text';
import { rootSettings } from './rootDirectories';

interface Item extends QuickPickItem {
  /** Absent on a heading, and on the row that adds directories. */
  readonly path?: string;
}

/** *Change What a Server Sees…*: a check box for each directory, kept in the settings of the workspace where one is open. */
export async function changeRoots({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Change What a Server Sees', ({ definition }) => !definition.self);
  if (!view) {
    return;
  }
  const { definition } = view;
  const items = await choices(definition, rootSettings(), boundedPresence());
  const picked = await window.showQuickPick<Item>(items, {
    title: `What "${inertLine(definition.key, 60)}" sees`,
    placeHolder: 'The server is told of the checked directories, as its roots',
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (picked) {
    const told = picked.flatMap(({ path }) => path ?? []);
    const notTold = items.flatMap(({ path }) => (path === undefined || told.includes(path) ? [] : path));
    const added = picked.includes(addDirectory) ? await askDirectories() : [];
    await write(definition, [...told, ...added], notTold);
  }
}

const addDirectory: Item = { label: '$(new-folder) Add Directory…', alwaysShow: true };

/** One that is not there stays checked, as the settings have it, and says that nobody is told of it. */
async function choices(
  server: ServerDefinition,
  settings: RootSettings,
  isDirectory: IsDirectory,
): Promise<readonly Item[]> {
  const candidates = await Promise.all(
    rootCandidates(server, settings).map(async (candidate) => ({
      ...candidate,
      isThere: await isDirectory(candidate.path),
    })),
  );
  const rows = (isFolder: boolean): readonly Item[] =>
    candidates
      .filter(({ folder }) => (folder !== undefined) === isFolder)
      .map(({ name, path, isTold, isThere }) => ({
        label: inertLine(name, 80),
        description: `${isThere ? '' : 'not there, the server is not told · '}${inertLine(path, 300)}`,
        picked: isTold,
        path,
      }));
  const group = (label: string, members: readonly Item[]): readonly Item[] =>
    members.length > 0 ? [{ label, kind: QuickPickItemKind.Separator }, ...members] : [];
  return [...group('workspace folders', rows(true)), ...group('other directories', [...rows(false), addDirectory])];
}

async function askDirectories(): Promise<readonly string[]> {
  const uris = await window.showOpenDialog({
    title: 'Add Directory',
    openLabel: 'Add',
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: true,
  });
  return (uris ?? []).filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
}

/** What the workspace says cannot be seen in Restricted Mode, and would be overwritten there. */
async function write(server: ServerDefinition, told: readonly string[], notTold: readonly string[]): Promise<void> {
  const before = rootSettings();
  const scope = workspace.isTrusted && (workspace.workspaceFile ?? before.folders[0]) ? 'workspace' : 'user';
  const target = scope === 'workspace' ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  const after = chooseRoots(server, before, scope, { told, notTold });
  for (const [kind, id] of [
    ['include', settingIds.rootsInclude],
    ['exclude', settingIds.rootsExclude],
  ] as const) {
    const [old, next] = [before, after].map((one) => one[kind].find((layer) => layer.scope === scope)?.value);
    if (JSON.stringify(old) !== JSON.stringify(next)) {
      const isEmpty = JSON.stringify(next ?? {}) === '{}';
      await workspace.getConfiguration(undefined, null).update(id, isEmpty ? undefined : next, target);
    }
  }
  const isTold = (path: string): boolean =>
    rootCandidates(server, after).some((one) => one.isTold && isSamePath(one.path, path, before.platform));
  if (!told.every(isTold)) {
    // Another entry holds one back: of the person's settings, of a folder, or for all servers.
    await commands.executeCommand('workbench.action.openSettings', `@id:${settingIds.rootsExclude}`);
  }
}
