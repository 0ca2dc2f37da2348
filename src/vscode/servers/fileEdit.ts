import { Range, type TextDocument, Uri, workspace, WorkspaceEdit } from 'vscode';
import { PorticoError } from '../../base/errors';
import type { TextEdit } from '../../core/config/configTypes';
import type { Undo } from '../interop/offerUndo';

/**
 * Changes a configuration file as a person would in the editor: one step of its undo history, saved at once, comments
 * and all else untouched. Unsaved changes of the person are kept. A missing file is made.
 */
export async function editFile(path: string, change: (text: string) => readonly TextEdit[]): Promise<Undo> {
  const uri = Uri.file(path);
  const existed = await exists(uri);
  if (!existed) {
    await workspace.fs.writeFile(uri, new Uint8Array());
  }
  const document = await workspace.openTextDocument(uri);
  const before = document.getText();
  await apply(document, change(before));
  const after = document.getText();
  return async () => {
    const now = await workspace.openTextDocument(uri);
    if (now.getText() !== after) {
      return false;
    }
    if (existed) {
      await apply(now, [{ offset: 0, length: after.length, text: before }]);
    } else {
      await workspace.fs.delete(uri);
    }
    return true;
  };
}

async function apply(document: TextDocument, edits: readonly TextEdit[]): Promise<void> {
  const change = new WorkspaceEdit();
  for (const { offset, length, text } of edits) {
    change.replace(document.uri, new Range(document.positionAt(offset), document.positionAt(offset + length)), text);
  }
  if (!(await workspace.applyEdit(change)) || !(await document.save())) {
    throw new PorticoError('CONFIG_WRITE_FAILED', `${document.fileName} could not be saved. Look at it and try again.`);
  }
}

async function exists(uri: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(uri);
    return true;
  } catch {
    // Whatever else is wrong with the path shows when it is written.
    return false;
  }
}
