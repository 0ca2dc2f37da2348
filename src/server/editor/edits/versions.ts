import type { EditorParts } from '../editorParts';
import type { WorkspaceFile } from '../workspaceTypes';

/** The versions of the files' documents as text, to see whether one changed. */
export function versionsOf(parts: EditorParts, files: readonly WorkspaceFile[]): string {
  return files.map((file) => `${file.uri} ${parts.files.documentOf(file)?.version ?? '-'}`).join('\n');
}
