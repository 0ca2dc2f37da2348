import { Range, type TextDocument, Uri, workspace, WorkspaceEdit } from 'vscode';
import { PorticoError } from '../../base/errors';
import { changedPart } from './changedPart';

/** Takes an edit back; false where the file has been edited since, so that nothing of the person's is lost. */
export type Undo = () => Promise<boolean>;

/**
 * Changes a configuration file as a person would in the editor: one step of its undo history, saved at once, only the
 * part touched that differs. A file that is open with unsaved changes keeps them. A missing file is made.
 */
export async function editFile(path: string, change: (text: string) => string | Promise<string>): Promise<Undo> {
  const uri = Uri.file(path);
  const existed = await exists(uri);
  if (!existed) {
    await workspace.fs.writeFile(uri, new Uint8Array());
  }
  const document = await workspace.openTextDocument(uri);
  const before = document.getText();
  const after = await change(before);
  await replace(document, before, after);
  return async () => {
    if (document.getText() !== after) {
      return false;
    }
    if (existed) {
      await replace(document, after, before);
    } else {
      await workspace.fs.delete(uri);
    }
    return true;
  };
}

async function replace(document: TextDocument, before: string, after: string): Promise<void> {
  const part = changedPart(before, after);
  if (part) {
    const range = new Range(document.positionAt(part.start), document.positionAt(part.end));
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, range, part.text);
    const done = document.getText() === before && (await workspace.applyEdit(edit));
    if (!done || !(await document.save())) {
      throw new PorticoError(
        'CONFIG_WRITE_FAILED',
        `${document.fileName} could not be saved. Look at it and try again.`,
      );
    }
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
