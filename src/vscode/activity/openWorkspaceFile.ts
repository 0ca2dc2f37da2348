import { isAbsolute } from 'node:path';
import { FileType, Uri, window, workspace } from 'vscode';
import { PorticoError } from '../../base/errors';
import { inertLine } from '../interop/text';

/**
 * Opens a file of the workspace as agents name it: by path from a folder or from the root, or by `file:` URI. Rejects with
 * RESOURCE_UNKNOWN for anything else, whatever it is.
 */
export async function openWorkspaceFile(name: string): Promise<void> {
  for (const uri of candidates(name)) {
    if (workspace.getWorkspaceFolder(uri) !== undefined && (await isFile(uri))) {
      await window.showTextDocument(uri);
      return;
    }
  }
  throw new PorticoError('RESOURCE_UNKNOWN', `The workspace has no file ${inertLine(name)}.`);
}

function candidates(name: string): readonly Uri[] {
  if (/^file:/i.test(name)) {
    return [Uri.file(Uri.parse(name).fsPath)];
  }
  if (isAbsolute(name)) {
    return [Uri.file(name)];
  }
  // With several folders agents put the folder's name in front.
  return (workspace.workspaceFolders ?? []).flatMap((folder) => {
    const inFolder = Uri.joinPath(folder.uri, name);
    const prefix = `${folder.name}/`;
    return name.startsWith(prefix) ? [Uri.joinPath(folder.uri, name.slice(prefix.length)), inFolder] : [inFolder];
  });
}

async function isFile(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.File) !== 0;
  } catch {
    // It is not there, or not any more.
    return false;
  }
}
