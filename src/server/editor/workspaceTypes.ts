import type { OpenDocument, WorkspaceFolderInfo } from './editorTypes';
import type { CompletionValues } from './offerTypes';

/** A file or directory of the workspace that may be given to agents. */
export interface WorkspaceFile {
  /** The one form in which the editor and Portico write it: a `file` URI, or `untitled:` of a document never saved. */
  readonly uri: string;
  /** Absolute, on the disk of the extension host; absent where it was never saved. */
  readonly path: string | undefined;
  /** As agents are told of it and may name it: below its folder with `/`, after the folder's name where there are several. */
  readonly label: string;
  /** Absent where it was never saved. */
  readonly folder: WorkspaceFolderInfo | undefined;
}

/** The files of the workspace, behind the gate that keeps everything else out. */
export interface WorkspaceFiles {
  readonly platform: NodeJS.Platform;
  /**
   * The file that an agent means by a URI in any form, an absolute path, or a path below a folder. `workspace` names the
   * folder where a path fits several. Rejects with RESOURCE_UNKNOWN where there is none, or none that may be given, and
   * with ARGUMENTS_INVALID, naming the choices, where it could be several.
   */
  find(address: string, workspace?: string): Promise<WorkspaceFile>;
  /** The directory that an agent means: a folder of the workspace or one below. Rejects as `find` does. */
  findDirectory(address: string, workspace?: string): Promise<WorkspaceFile>;
  /** The file that a URI of the editor names, as far as its name tells; nothing for what is never given. */
  ofUri(uri: string): WorkspaceFile | undefined;
  /** Whether a file lies in a directory or below. */
  isBelow(file: WorkspaceFile, directory: WorkspaceFile): boolean;
  /** The editor's document of the file, where it has one. */
  documentOf(file: WorkspaceFile): OpenDocument | undefined;
  /** When it was last written, in milliseconds since the epoch, and its bytes; nothing where it is not there. */
  stat(file: WorkspaceFile): Promise<{ readonly mtimeMs: number; readonly size: number } | undefined>;
  /** Its bytes on disk. Rejects with RESOURCE_FAILED where they are more than `maxBytes` or cannot be read. */
  read(file: WorkspaceFile, maxBytes: number): Promise<Uint8Array>;
  /** Lines as the editor has them, else as they are on disk, and how many there are; nothing where neither can be had. */
  lines(file: WorkspaceFile): Promise<readonly string[] | undefined>;
  /** Files below a directory, or of the whole workspace, that no ignore rule leaves out; at most `limit` of `total`. */
  list(
    below: WorkspaceFile | undefined,
    limit: number,
  ): Promise<{ readonly files: readonly WorkspaceFile[]; readonly total: number }>;
  /** Labels of files or directories that fit what was typed. */
  complete(value: string, what: 'file' | 'directory'): Promise<CompletionValues>;
}
