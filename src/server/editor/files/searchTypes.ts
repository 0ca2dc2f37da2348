/** What is looked for in texts. */
export interface SearchPattern {
  readonly text: string;
  readonly isRegExp: boolean;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** Lines and columns begin at 1; columns count UTF-16 units; `endColumn` is the first one after the match. */
export interface SearchMatch {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The line where it begins, or the part of it around the match. */
  readonly text: string;
  /** The column where `text` begins, where it is a part. */
  readonly textColumn?: number;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface FileMatches {
  /** Its folder's place among the folders, and its path from there on. */
  readonly folder: number;
  readonly path: string;
  readonly isBuffer: boolean;
  readonly matches: readonly SearchMatch[];
}

/** Where a search goes on: at a file of the list, past so many of its matches. */
export interface SearchPlace {
  readonly file: number;
  readonly skip: number;
}

/** Part of the workspace: one folder, or what lies in a directory of it, whose path ends with a slash. */
export interface SearchScope {
  readonly folder: number;
  readonly prefix: string;
}

/** What a search looks for, where, and how much of it is told. */
export interface SearchCriteria {
  readonly pattern: SearchPattern;
  /** Globs as agents write them; all files where there are none. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly scope?: SearchScope;
  readonly maxMatches: number;
  readonly contextLines: number;
  /** About how much text may be told. */
  readonly maxCharacters: number;
}

export interface SearchOutcome {
  readonly files: readonly FileMatches[];
  /** Where there is more, with the reason that it stopped there. */
  readonly next?: SearchPlace;
  readonly stopped?: 'matches' | 'time';
  readonly searched: number;
  /** Files that were not looked into: no text, too large, or not to be read. */
  readonly skipped: number;
}
