import { commands as editorCommands, env } from 'vscode';
import { extensionId, type ServerArgument, walkthroughId } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { openDetails } from './detailsDocument';
import { entryOf } from './entry';
import type { Node } from './nodes';
import { openEntry } from './openEntry';

// What shows or copies something of a server and changes nothing.

const any = () => true;

export async function showServerLog({ hub, logs }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Show Server Log', any);
  if (view) {
    logs.show(view.definition.key);
  }
}

export async function showServerDetails(services: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(services.hub, argument, 'Show Server Details', any);
  if (view) {
    await openDetails(services, view);
  }
}

/** A row may be a problem, too, which has a place and no server. */
export async function editConfiguration({ hub }: Services, argument: ServerArgument | Node): Promise<void> {
  if (typeof argument === 'object' && 'kind' in argument && argument.kind === 'problem') {
    await openEntry(argument.problem.source, argument.problem.place);
    return;
  }
  const view = await pickServer(hub, argument as ServerArgument, 'Edit Server Configuration', any);
  if (view) {
    await openEntry(view.definition.source, view.definition.place);
  }
}

export async function copyName({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Copy Name', any);
  if (view) {
    await env.clipboard.writeText(view.definition.key);
  }
}

export async function copyEntry({ hub }: Services, argument: ServerArgument): Promise<void> {
  const view = await pickServer(hub, argument, 'Copy as .mcp.json Entry', any);
  if (view) {
    const { key } = view.definition;
    const file = { mcpServers: { [key]: entryOf(view.definition) } };
    await env.clipboard.writeText(JSON.stringify(file, undefined, 2));
  }
}

export async function openSettings(): Promise<void> {
  await editorCommands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`);
}

export async function openWalkthrough(): Promise<void> {
  const walkthrough = `${extensionId}#${walkthroughId}`;
  await editorCommands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
}
