import { commands as editorCommands, env, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands, extensionId, walkthroughId } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { entryOf } from './entry';
import { openEntry } from './openEntry';
import { serverDetails } from './serverDetails';
import type { Node } from './nodes';

const any = () => true;

/** What shows or copies something of a server and changes nothing. */
export function registerViewCommands({ hub, logs, documents, settings: current }: Services): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand(commands.showServerLog, logs, async (argument) => {
      const view = await pickServer(hub, argument, 'Show Server Log', any);
      if (view) {
        logs.show(view.definition.key);
      }
    }),
  );
  store.add(
    registerCommand(commands.showServerDetails, logs, async (argument) => {
      const view = await pickServer(hub, argument, 'Show Server Details', any);
      if (view) {
        const roots = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
        const trusted = current.trustedServers.peek().includes(view.id);
        const text = serverDetails(view, { roots: roots.map(({ uri }) => uri.fsPath), trusted, now: Date.now() });
        await documents.openDocument(`${view.definition.key}.md`, text, 'markdown');
      }
    }),
  );
  store.add(
    registerCommand(commands.editServerConfiguration, logs, async (argument) => {
      const row = argument as Node | string | undefined;
      if (typeof row === 'object' && row.kind === 'problem') {
        await openEntry(row.problem.source, row.problem.place);
        return;
      }
      const view = await pickServer(hub, argument, 'Edit Server Configuration', any);
      if (view) {
        await openEntry(view.definition.source, view.definition.place);
      }
    }),
  );
  store.add(
    registerCommand(commands.copyServerName, logs, async (argument) => {
      const view = await pickServer(hub, argument, 'Copy Name', any);
      if (view) {
        await env.clipboard.writeText(view.definition.key);
      }
    }),
  );
  store.add(
    registerCommand(commands.copyServerEntry, logs, async (argument) => {
      const view = await pickServer(hub, argument, 'Copy as .mcp.json Entry', any);
      if (view) {
        const { key } = view.definition;
        await env.clipboard.writeText(
          JSON.stringify({ mcpServers: { [key]: entryOf(view.definition) } }, undefined, 2),
        );
      }
    }),
  );
  store.add(
    registerCommand(commands.openSettings, logs, () =>
      editorCommands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
    ),
  );
  store.add(
    registerCommand(commands.openWalkthrough, logs, () =>
      editorCommands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#${walkthroughId}`, false),
    ),
  );
  return store;
}
