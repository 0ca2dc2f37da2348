import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { signal } from '@preact/signals-core';
import { Emitter } from '../../../../../src/base/emitter';
import type {
  DocumentsPort,
  EditorServerSettings,
  FileChange,
  OpenDocument,
  WorkspaceFolderInfo,
  WorkspacePort,
} from '../../../../../src/server/editor/editorTypes';
import type { IndexSources } from '../../../../../src/server/editor/files/fileIndex';
import { fileUri } from '../../../../../src/server/editor/files/fileNames';
import { PathGate } from '../../../../../src/server/editor/files/pathGate';

/** A directory of its own with workspace folders in it, and the ports of an editor that has them open. */
export class TemporaryWorkspace {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'portico-files-')));
  readonly folders = signal<readonly WorkspaceFolderInfo[]>([]);
  readonly excludes = signal<Readonly<Record<string, readonly string[]>>>({});
  readonly settings = signal<EditorServerSettings>({
    groups: new Set(),
    secrets: ['.env*', '!.env.example', '*.pem', '.ssh', '.docker/config.json'],
    allowedDirectories: [],
    hiddenSources: [],
  });
  readonly changes = new Emitter<readonly FileChange[]>();
  readonly documentChanges = new Emitter<string>();
  readonly open = new Map<string, OpenDocument>();
  readonly workspace: WorkspacePort = {
    folders: this.folders,
    isTrusted: signal(true),
    excludes: this.excludes,
    onDidChangeFiles: this.changes.event,
  };
  readonly documents: DocumentsPort = {
    all: () => [...this.open.values()],
    find: (uri) => this.open.get(uri),
    load: () => Promise.reject(new Error('not needed here')),
    onDidChange: this.documentChanges.event,
  };

  /** The folders are opened in this order. Files by their path below the directory, with their content. */
  constructor(folders: readonly string[], files: Readonly<Record<string, string | Buffer>> = {}) {
    folders.forEach((folder) => mkdirSync(this.path(folder), { recursive: true }));
    this.folders.value = folders.map((folder) => this.folder(folder));
    Object.entries(files).forEach(([path, content]) => this.write(path, content));
  }

  /** For an index of it. */
  indexSources(): IndexSources {
    const { workspace, documents, settings, folders } = this;
    return { workspace, documents, settings, gate: new PathGate({ folders, settings }) };
  }

  path(below: string): string {
    return join(this.directory, below);
  }

  uri(below: string): string {
    return fileUri(this.path(below), process.platform);
  }

  folder(below: string): WorkspaceFolderInfo {
    return { name: basename(below), path: this.path(below), uri: this.uri(below) };
  }

  write(below: string, content: string | Buffer = ''): void {
    mkdirSync(dirname(this.path(below)), { recursive: true });
    writeFileSync(this.path(below), content);
  }

  link(below: string, target: string): void {
    mkdirSync(dirname(this.path(below)), { recursive: true });
    symlinkSync(target, this.path(below));
  }

  /** Tells what the editor's watcher would tell. */
  tell(kind: FileChange['kind'], ...below: readonly string[]): void {
    this.changes.fire(below.map((path) => ({ kind, uri: this.uri(path) })));
  }

  openDocument(below: string, text: string, options: Partial<OpenDocument> = {}): void {
    const uri = this.uri(below);
    this.open.set(uri, {
      uri,
      path: this.path(below),
      languageId: 'plaintext',
      version: 1,
      isDirty: false,
      eol: '\n',
      encoding: 'utf8',
      lineCount: text.split('\n').length,
      text: () => text,
      ...options,
    });
    this.documentChanges.fire(uri);
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
