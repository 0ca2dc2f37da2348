import { commands as editorCommands, Uri, window, workspace } from 'vscode';
import { PorticoError } from '../../base/errors';
import type { ServerDefinition } from '../../core/config/configTypes';
import type { ServerArgument } from '../../ids';
import type { Services } from '../interop/contribution';
import { pickServer } from '../interop/pickServer';
import { plainLine } from '../interop/text';
import { entryOf } from './entry';
import { EntryStore } from './entryStore';
import { editFile, type Undo } from './fileEdit';
import { targets } from './targets';

/**
 * *Let Portico Run It…*: the entry moves into `portico.servers`, comments and all, after the person saw the difference.
 * From `.mcp.json`, which others read too, it is copied, and the editor's own list opens for switching its copy off.
 */
export async function letPorticoRunIt(
  { hub, documents }: Services,
  argument: ServerArgument,
  reveal: (server: string) => Promise<void>,
): Promise<void> {
  const isEditors = ({ definition }: { definition: ServerDefinition }): boolean => definition.owner === 'editor';
  const view = await pickServer(hub, argument, 'Let Portico Run It', isEditors);
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
    throw new PorticoError('NOT_SUPPORTED', `There is no settings file that could take "${key}".`, { server: key });
  }
  const edits = await hub.configEdits();
  const text = (await workspace.openTextDocument(Uri.file(file))).getText();
  const { from, entryText } = edits.takeOver(definition, text);
  const copies = from.length === 0;
  const name = plainLine(key, 80);
  // The difference as two documents: the file that the entry leaves or stays in, and what the settings get.
  const left = documents.put(`/documents/take-over/${source.kind}/before.jsonc`, copies ? '' : text);
  const right = documents.put(
    `/documents/take-over/${source.kind}/after.jsonc`,
    copies ? `"${key}": ${entryText}\n` : edits.applyEdits(text, from),
  );
  const shown = copies ? `What ${target.words} get` : `${source.label} without ${name}`;
  await editorCommands.executeCommand('vscode.diff', left, right, shown, { preview: true });
  const choice = await window.showInformationMessage(
    copies ? `Copy "${name}" into ${target.words}?` : `Move "${name}" from ${source.label} into ${target.words}?`,
    {
      modal: true,
      detail: copies
        ? `"${name}" will be run by Portico for chat and agents. ${source.label} stays as it is, since others read it too. Switch VS Code’s own copy off in the list that opens next.`
        : `"${name}" will be run once, by Portico, for chat and agents.\n\n"${key}": ${entryText}`,
    },
    copies ? 'Copy' : 'Move',
  );
  if (!choice) {
    return;
  }
  const entry = { ...entryOf(definition), ...(definition.inputs.length > 0 ? { inputs: definition.inputs } : {}) };
  const undos: Undo[] = [await new EntryStore(() => hub.configEdits()).set(target.source, key, entry, entryText)];
  if (!copies) {
    undos.unshift(await editFile(file, () => from));
  }
  offerUndo(`"${name}" is now in ${target.words}.`, undos);
  await reveal(definition.id);
  if (copies) {
    await editorCommands.executeCommand('workbench.mcp.listServer');
  }
}

function offerUndo(message: string, undos: readonly Undo[]): void {
  const offer = async (): Promise<void> => {
    if ((await window.showInformationMessage(message, 'Undo')) === 'Undo') {
      for (const undo of undos) {
        if (!(await undo())) {
          void window.showWarningMessage('A file has been edited since. Nothing more was undone.');
          return;
        }
      }
    }
  };
  void offer();
}
