import { basename } from 'node:path';
import { commands as editorCommands, Uri, window, workspace } from 'vscode';
import { PorticoError } from '../../base/errors';
import type { ConfigEdits, ConfigSource, ServerDefinition, TakeOver } from '../../core/config/configTypes';
import type { ServerArgument } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { offerUndo, type Undo } from '../interop/offerUndo';
import { inertLine } from '../interop/text';
import { entryOf } from './entry';
import { EntryStore } from './entryStore';
import { editFile } from './fileEdit';
import { type Target, targets } from './targets';
import { untilServer } from './untilServer';

/**
 * *Let Portico Run It…*: the entry moves into `portico.servers`, comments and all, after the person saw the difference.
 * From `.mcp.json`, which others read too, it is copied, and the editor's own list opens for switching its copy off.
 */
export async function letPorticoRunIt(
  services: Services,
  argument: ServerArgument,
  reveal: (server: string) => Promise<void>,
): Promise<void> {
  const { hub } = services;
  const view = await pickServer(hub, argument, 'Let Portico Run It', ({ definition }) => definition.owner === 'editor');
  const definition = view?.definition;
  if (!definition) {
    return;
  }
  const { source, key } = definition;
  const { file } = source;
  if (definition.owner !== 'editor' || file === undefined) {
    throw new PorticoError('NOT_SUPPORTED', `"${key}" is run by Portico already.`, { server: key });
  }
  const target = targets(hub).find((it) => it.source.scope === (source.scope === 'user' ? 'user' : 'workspace'));
  if (!target) {
    throw new PorticoError('NOT_SUPPORTED', `There are no settings here that could take "${key}".`, { server: key });
  }
  const edits = await hub.configEdits();
  const takeOver = edits.takeOver(definition, await textOf(file));
  const copies = takeOver.from.length === 0;
  await showDifference(services, edits, definition, target, takeOver);
  if (!(await agreed(definition, target, copies))) {
    return;
  }
  const entry = { ...entryOf(definition), ...(definition.inputs.length > 0 ? { inputs: definition.inputs } : {}) };
  const store = new EntryStore(() => hub.configEdits());
  const undos: Undo[] = [await store.set(target.source, key, entry, takeOver.entryText)];
  if (!copies) {
    undos.unshift(await editFile(file, (text) => edits.takeOver(definition, text).from));
  }
  offerUndo(`"${inertLine(key, 80)}" is now in ${target.words}.`, undos);
  const taken = await untilServer(hub, { source: target.source.id, key });
  if (taken) {
    // The person has just seen and agreed to the whole entry.
    await hub.consent.approve(taken.definition);
    await reveal(taken.id);
  }
  if (copies) {
    await editorCommands.executeCommand('workbench.mcp.listServer');
  }
}

/** The settings, and the file that the entry leaves, before and after, in one editor. */
async function showDifference(
  { documents }: Services,
  edits: ConfigEdits,
  definition: ServerDefinition,
  target: Target,
  { from, entryText }: TakeOver,
): Promise<void> {
  const pair = (source: ConfigSource, before: string, after: string) => {
    const file = `${source.kind}/${basename(source.file ?? 'settings.json')}`;
    const modified = documents.put(`/documents/after/${file}`, after);
    return [modified, documents.put(`/documents/before/${file}`, before), modified];
  };
  const settings = target.source.file === undefined ? '' : await textOf(target.source.file);
  const path = edits.entryPath(target.source, definition.key);
  const added = edits.applyEdits(settings, edits.setEntryText(settings, path, entryText));
  const pairs = [pair(target.source, settings, added)];
  if (from.length > 0 && definition.source.file !== undefined) {
    const text = await textOf(definition.source.file);
    pairs.push(pair(definition.source, text, edits.applyEdits(text, from)));
  }
  await editorCommands.executeCommand('vscode.changes', `Let Portico Run ${inertLine(definition.key, 60)}`, pairs);
}

async function agreed({ key, source }: ServerDefinition, { words }: Target, copies: boolean): Promise<boolean> {
  const name = inertLine(key, 80);
  const act = copies ? 'Copy' : 'Move';
  const choice = await window.showInformationMessage(
    copies ? `Copy "${name}" into ${words}?` : `Move "${name}" from ${source.label} into ${words}?`,
    {
      modal: true,
      detail: copies
        ? `"${name}" will be run once, by Portico, for chat and agents. ${source.label} stays as it is, since others read it too: in the list that opens next, stop VS Code’s copy, then enable Portico’s (MCP: List Servers opens it again).`
        : `"${name}" will be run once, by Portico, for chat and agents. VS Code’s copy is gone with its entry.`,
    },
    act,
  );
  return choice === act;
}

/** The text as it is in the editor, unsaved changes included; empty where there is no such file. */
async function textOf(file: string): Promise<string> {
  try {
    return (await workspace.openTextDocument(Uri.file(file))).getText();
  } catch {
    // Not there yet. A file that cannot be read fails again, with its reason, when it is written.
    return '';
  }
}
