import { FilePermission, type FileStat, FileSystemError, FileType, type Uri } from 'vscode';
import type { PromptDrafts } from '../interop/promptDrafts';

const gone =
  'This prompt was kept in memory and is gone since the window was reloaded. Run it again with “Portico: Run Prompt…”.\n';

export function statDraft(drafts: PromptDrafts, { path }: Uri): FileStat {
  const stored = drafts.get(path);
  const time = stored?.changedAt ?? 0;
  const size = Buffer.byteLength(stored?.text ?? gone);
  const stat = { type: FileType.File, ctime: time, mtime: time, size };
  return stored ? stat : { ...stat, permissions: FilePermission.Readonly };
}

/** A tab from before a reload says what happened instead of failing to open. */
export function readDraft(drafts: PromptDrafts, { path }: Uri): Uint8Array {
  return Buffer.from(drafts.get(path)?.text ?? gone);
}

export function writeDraft(drafts: PromptDrafts, uri: Uri, content: Uint8Array): void {
  if (!drafts.write(uri.path, Buffer.from(content).toString())) {
    throw FileSystemError.NoPermissions(uri);
  }
}
