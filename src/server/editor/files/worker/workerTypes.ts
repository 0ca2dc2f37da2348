import type { SearchCriteria, SearchOutcome, SearchPlace, SearchScope } from '../searchTypes';

/** A workspace folder as the worker walks it. */
export interface FolderSpec {
  readonly path: string;
  readonly realPath: string;
  /** Globs of what is left out, from the folder on. */
  readonly excludes: readonly string[];
}

export interface WorkspaceSpec {
  readonly folders: readonly FolderSpec[];
  readonly secrets: readonly string[];
}

/**
 * The files of a workspace at one moment, in memory that the threads share: paths from their folder on in UTF-8, each with
 * a NUL after it, folder by folder.
 */
export interface ListedFiles {
  readonly bytes: SharedArrayBuffer;
  /** Of Uint32: where each path begins, and where the last ends. */
  readonly offsets: SharedArrayBuffer;
  /** How many files each folder has, in the order of the folders. */
  readonly counts: readonly number[];
}

/** `folder` is its place among the folders; `path` leads on from there. */
export interface FoundPath {
  readonly folder: number;
  readonly path: string;
}

export interface FuzzyParams {
  readonly query: string;
  readonly kind: 'file' | 'directory';
  /** In one folder alone, by its place. */
  readonly folder?: number;
  readonly limit: number;
}

export interface FuzzyResult {
  readonly found: readonly FoundPath[];
  readonly total: number;
}

/** What the worker does, by the name of the request. */
export interface WorkerRequests {
  /** Walks the workspace anew; the answer comes when it is walked. */
  readonly configure: { readonly params: WorkspaceSpec; readonly result: null };
  /** Looks anew at whole paths; the answer says whether the list has changed. */
  readonly update: { readonly params: readonly string[]; readonly result: boolean };
  readonly list: { readonly params: null; readonly result: ListedFiles };
  readonly fuzzy: { readonly params: FuzzyParams; readonly result: FuzzyResult };
  readonly search: { readonly params: SearchParams; readonly result: SearchOutcome };
  readonly filter: { readonly params: FilterParams; readonly result: FilterResult };
}

export interface WorkerMessage<K extends keyof WorkerRequests = keyof WorkerRequests> {
  readonly id: number;
  readonly kind: K;
  readonly params: WorkerRequests[K]['params'];
}

/** An answer to a request; `progress` may come before it, as often as it likes. */
export type WorkerAnswer =
  | { readonly id: number; readonly kind: 'progress'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'result'; readonly value: unknown }
  /** It cannot be done as it was asked: a sentence for whoever did. */
  | { readonly id: number; readonly kind: 'refused'; readonly message: string }
  /** Nobody's fault who asked: for the log alone. */
  | { readonly id: number; readonly kind: 'failed'; readonly detail: string };

export interface SearchParams extends SearchCriteria {
  readonly files: ListedFiles;
  readonly folders: readonly Pick<FolderSpec, 'path' | 'realPath'>[];
  /** Texts that win over the files on disk. */
  readonly buffers: readonly (FoundPath & { readonly text: string })[];
  readonly from: SearchPlace;
  /** After which it stops between two files, in milliseconds. */
  readonly budgetMs: number;
}

export interface SearchProgress {
  readonly done: number;
  readonly total: number;
}

export interface FilterParams {
  readonly files: ListedFiles;
  readonly include: readonly string[];
  readonly scope?: SearchScope;
  /** The place in the list to go on from. */
  readonly from: number;
  readonly limit: number;
  /** About how much text may be told. */
  readonly maxCharacters: number;
}

export interface FilterResult {
  readonly found: readonly FoundPath[];
  /** How many there are in all, those before `from` too. */
  readonly total: number;
  /** The place of the first that was left. */
  readonly next?: number;
}
