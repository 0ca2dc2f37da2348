import type { ReadonlySignal } from '@preact/signals-core';
import type { Event } from '../../base/emitter';

/*
 * The editor as the editor server sees it: ports that src/vscode/editorServer implements. URIs are strings as the
 * editor writes them; positions are the editor's own, zero-based, in UTF-16 units. What agents see is one-based.
 */

export interface EditorPosition {
  readonly line: number;
  readonly character: number;
}

/** `end` is exclusive. */
export interface EditorRange {
  readonly start: EditorPosition;
  readonly end: EditorPosition;
}

export interface EditorLocation {
  readonly uri: string;
  readonly range: EditorRange;
}

export interface WorkspaceFolderInfo {
  readonly name: string;
  readonly uri: string;
  /** Of the extension host's file system. Folders that are not on it are not published. */
  readonly path: string;
}

export interface FileChange {
  readonly uri: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

export interface WorkspacePort {
  readonly folders: ReadonlySignal<readonly WorkspaceFolderInfo[]>;
  readonly isTrusted: ReadonlySignal<boolean>;
  /** Globs of `files.exclude` and `search.exclude` that are on, by folder URI; `''` holds those of the workspace. */
  readonly excludes: ReadonlySignal<Readonly<Record<string, readonly string[]>>>;
  /** On disk, below the folders. */
  readonly onDidChangeFiles: Event<readonly FileChange[]>;
}

/** A document that the editor has loaded, shown or not, as it is now. */
export interface OpenDocument {
  readonly uri: string;
  /** Of a file on disk. */
  readonly path: string | undefined;
  readonly languageId: string;
  readonly version: number;
  readonly isDirty: boolean;
  readonly eol: '\n' | '\r\n';
  readonly encoding: string;
  readonly lineCount: number;
  text(range?: EditorRange): string;
}

export interface DocumentsPort {
  all(): readonly OpenDocument[];
  find(uri: string): OpenDocument | undefined;
  /** Loads a file's document without showing or saving it. Rejects where the editor cannot. */
  load(uri: string): Promise<OpenDocument>;
  /** The URI of each document that was opened, edited, saved or closed. */
  readonly onDidChange: Event<string>;
}

export interface OpenEditor {
  readonly uri: string;
  readonly label: string;
  readonly isActive: boolean;
  readonly isDirty: boolean;
}

export interface ActiveEditor {
  readonly uri: string;
  readonly languageId: string;
  /** The first is the primary one; a caret is an empty range. */
  readonly selections: readonly EditorRange[];
  readonly visible: EditorRange | undefined;
}

/** What the person did with a proposed text, with the text as it was then. */
export interface DiffVerdict {
  readonly verdict: 'accepted' | 'rejected';
  readonly text: string;
}

export interface ViewPort {
  readonly active: ReadonlySignal<ActiveEditor | undefined>;
  readonly editors: ReadonlySignal<readonly OpenEditor[]>;
  show(uri: string, range: EditorRange | undefined): Promise<void>;
  /** Shows a file beside a proposed text and waits for the person; closes what it opened on abort. */
  showDiff(uri: string, proposed: string, title: string, signal: AbortSignal): Promise<DiffVerdict>;
}

export type DiagnosticSeverity = 'error' | 'warning' | 'information' | 'hint';

export interface EditorDiagnostic {
  readonly range: EditorRange;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  readonly source: string | undefined;
  /** As text, whatever the language extension gave. */
  readonly code: string | undefined;
  readonly codeUrl: string | undefined;
  readonly tags: readonly ('unnecessary' | 'deprecated')[];
  readonly related: readonly (EditorLocation & { readonly message: string })[];
}

export interface DiagnosticsPort {
  all(): readonly (readonly [uri: string, diagnostics: readonly EditorDiagnostic[]])[];
  of(uri: string): readonly EditorDiagnostic[];
  /** The URIs whose diagnostics were published anew. */
  readonly onDidChange: Event<readonly string[]>;
}

export interface EditorSymbol {
  readonly name: string;
  /** The editor's word in camelCase: `function`, `class`, `enumMember`. */
  readonly kind: string;
  readonly detail: string;
  readonly container: string | undefined;
  readonly uri: string;
  readonly range: EditorRange;
  /** Where its name stands. */
  readonly selection: EditorRange;
  readonly children: readonly EditorSymbol[];
}

export interface TextReplacement {
  readonly range: EditorRange;
  readonly text: string;
}

export interface FileEdit {
  readonly uri: string;
  readonly replacements: readonly TextReplacement[];
}

/** All that one operation changes; `files` tells of files that are made, with the text that `edits` puts there, renamed or deleted. */
export interface EditorEdit {
  readonly edits: readonly FileEdit[];
  readonly files: readonly {
    readonly kind: 'create' | 'rename' | 'delete';
    readonly uri: string;
    readonly to?: string;
  }[];
}

export interface CodeActionInfo {
  /** Good until the next request for code actions of the same document. */
  readonly id: string;
  readonly title: string;
  readonly kind: string | undefined;
  readonly isPreferred: boolean;
  readonly disabled: string | undefined;
  /** Absent where the action is a command of its extension, whose effect nobody knows before. */
  readonly edit: EditorEdit | undefined;
}

/** Language features; `undefined` where no extension provides the feature for this file. */
export interface LanguagePort {
  documentSymbols(uri: string): Promise<readonly EditorSymbol[] | undefined>;
  workspaceSymbols(query: string): Promise<readonly EditorSymbol[]>;
  definition(uri: string, at: EditorPosition): Promise<readonly EditorLocation[]>;
  references(uri: string, at: EditorPosition): Promise<readonly EditorLocation[]>;
  implementations(uri: string, at: EditorPosition): Promise<readonly EditorLocation[]>;
  /** As Markdown. */
  hover(uri: string, at: EditorPosition): Promise<readonly string[]>;
  codeActions(uri: string, range: EditorRange, kind: string | undefined): Promise<readonly CodeActionInfo[]>;
  /** Rejects where the symbol cannot be renamed, with the extension's reason. */
  rename(uri: string, at: EditorPosition, newName: string): Promise<EditorEdit>;
  format(uri: string, range: EditorRange | undefined): Promise<readonly TextReplacement[] | undefined>;
}

export interface EditsPort {
  /** Applies to the buffers as one undoable step; `false` where the editor refused. Saves where the person wants that. */
  apply(edit: EditorEdit, label: string): Promise<boolean>;
  applyCodeAction(id: string): Promise<boolean>;
}

export interface EditorTaskInfo {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly group: 'build' | 'test' | 'other';
  readonly detail: string;
}

export interface EditorTaskRun {
  readonly id: string;
  readonly task: EditorTaskInfo;
  readonly state: ReadonlySignal<
    { readonly kind: 'running' } | { readonly kind: 'ended'; readonly exitCode: number | undefined }
  >;
  /** What it has written, the newest end of it; `undefined` where the editor does not tell. */
  output(): { readonly text: string; readonly cut: boolean } | undefined;
  stop(): void;
}

export interface TasksPort {
  list(): Promise<readonly EditorTaskInfo[]>;
  run(id: string): Promise<EditorTaskRun>;
}

export interface ChangedFile {
  readonly uri: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'untracked' | 'conflict';
  readonly isStaged: boolean;
}

export interface GitPort {
  /** `undefined` where no Git extension is there. */
  changes(): Promise<readonly ChangedFile[] | undefined>;
  /** What is not committed, as Git prints it, by repository; names in it are below the root, an absolute path. */
  diffs(): Promise<readonly { readonly root: string; readonly text: string }[] | undefined>;
  readonly onDidChange: Event<void>;
}

/** What an agent wants to do that a person decides on. */
export type EffectRequest =
  | { readonly kind: 'edit'; readonly title: string; readonly edit: EditorEdit }
  | { readonly kind: 'command'; readonly title: string; readonly detail: string }
  | { readonly kind: 'task'; readonly title: string; readonly task: EditorTaskInfo };

export interface ConfirmPort {
  /** Asks the person, with the diff in sight; `false` on refusal or abort. */
  confirm(client: string, effect: EffectRequest, signal: AbortSignal): Promise<boolean>;
}

export interface EditorServerSettings {
  /** Groups of tools that are on; `read` always is. */
  readonly groups: ReadonlySet<'edit' | 'run'>;
  /** Globs of files that are never given to agents. */
  readonly secrets: readonly string[];
  /** Directories outside the workspace, by real path, to which links may lead. */
  readonly allowedDirectories: readonly string[];
  /** Diagnostics of these sources are not told, such as a spell checker's. */
  readonly hiddenSources: readonly string[];
}

export interface EditorPorts {
  readonly workspace: WorkspacePort;
  readonly documents: DocumentsPort;
  readonly view: ViewPort;
  readonly diagnostics: DiagnosticsPort;
  readonly language: LanguagePort;
  readonly edits: EditsPort;
  readonly tasks: TasksPort;
  readonly git: GitPort;
  readonly confirm: ConfirmPort;
  readonly settings: ReadonlySignal<EditorServerSettings>;
}
