import { type QuickPickItem, window } from 'vscode';
import type { Hub, ServerView } from '../../core/hubTypes';
import type { ServerArgument } from '../../ids';
import { inertLine } from './text';

/**
 * The server that a command is about: the row or id it was given, otherwise the person's pick of those that `applies`
 * lets through. Nothing when the pick was closed, or when there was nothing to pick, which is said.
 */
export async function pickServer(
  hub: Hub,
  argument: ServerArgument,
  title: string,
  applies: (view: ServerView) => boolean,
): Promise<ServerView | undefined> {
  const id = typeof argument === 'object' ? argument.server : argument;
  if (id !== undefined) {
    return hub.server(id) ?? hub.servers.peek().find(({ definition }) => definition.key === id);
  }
  const items = hub.servers.peek().filter(applies).map(toItem);
  if (items.length === 0) {
    void window.showInformationMessage(`${title}: there is no server to which this applies.`);
    return undefined;
  }
  const picked = await window.showQuickPick(items, { title, placeHolder: 'Choose a server', matchOnDescription: true });
  return picked?.view;
}

function toItem(view: ServerView): QuickPickItem & { readonly view: ServerView } {
  return {
    label: inertLine(view.definition.key, 80),
    description: inertLine(view.definition.source.label, 60),
    view,
  };
}
