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

/** What is known of a file on disk without a look into it. */
export interface FileState {
  /** In bytes. */
  readonly size: number;
  /**
   * When it was written or put there, whichever is later, in milliseconds since the epoch: a file that is moved, or unpacked
   * from an archive, keeps the time at which it was written.
   */
  readonly changedMs: number;
  /** Another one whenever the file is written, touched or another file is put in its place. */
  readonly stamp: string;
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
  /**
   * The place of a file that is to be made: by the same names, behind the same gate. Rejects as `find` does, and with
   * ARGUMENTS_INVALID where something is there already.
   */
  findNew(address: string, workspace?: string): Promise<WorkspaceFile>;
  /** The directory that an agent means: a folder of the workspace or one below. Rejects as `find` does, and for links. */
  findDirectory(address: string, workspace?: string): Promise<WorkspaceFile>;
  /**
   * The file that a URI of the editor names, where it passes the gate that `find` has, links resolved. Whatever gives text or
   * tells of a file that no agent named goes through here.
   */
  passing(uri: string): Promise<WorkspaceFile | undefined>;
  /** As `passing`, by the name alone: to compare files with, not to tell of them. */
  ofUri(uri: string): WorkspaceFile | undefined;
  /** Whether a file lies in a directory or below. */
  isBelow(file: WorkspaceFile, directory: WorkspaceFile): boolean;
  /** The editor's document of the file, where it has one. */
  documentOf(file: WorkspaceFile): OpenDocument | undefined;
  /** Nothing where it is not there. */
  stat(file: WorkspaceFile): Promise<FileState | undefined>;
  /** Its bytes on disk. Rejects with RESOURCE_FAILED where they are more than `maxBytes` or cannot be read. */
  read(file: WorkspaceFile, maxBytes: number): Promise<Uint8Array>;
  /**
   * What is made of the text as the person has it unsaved, else as it is on disk; nothing where neither can be had. Large
   * files are read by turns, so that no more of their texts are in memory than are being used.
   */
  withText<T>(file: WorkspaceFile, use: (text: string) => T): Promise<T | undefined>;
  /** Files below a directory, or of the whole workspace, that no ignore rule leaves out; at most `limit` of `total`. */
  list(
    below: WorkspaceFile | undefined,
    limit: number,
  ): Promise<{ readonly files: readonly WorkspaceFile[]; readonly total: number }>;
  /** Labels of files or directories that fit what was typed. */
  complete(value: string, what: 'file' | 'directory'): Promise<CompletionValues>;
}
