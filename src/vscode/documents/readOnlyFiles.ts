import {
  type Disposable,
  type Event,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type Uri,
} from 'vscode';
import { toResourceAddress } from '../interop/resourceAddress';
import type { VirtualDocuments } from '../interop/virtualDocuments';
import type { ResourceDocuments } from './resourceDocuments';

const gone =
  'This document was kept in memory and is gone since the window was reloaded. Run the tool again from Portico’s Activity view.';

/** The editor's view of the documents in memory and of resources. Every way to write is there, since the editor asks for it, and refuses. */
export class ReadOnlyFiles implements FileSystemProvider, Disposable {
  private readonly changes = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile: Event<FileChangeEvent[]> = this.changes.event;
  private readonly subscription: Disposable;

  constructor(
    private readonly documents: VirtualDocuments,
    private readonly resources: () => Promise<ResourceDocuments>,
  ) {
    this.subscription = documents.onDidChange((uri) => this.changed([uri]));
  }

  /** Has the editor load documents anew. */
  changed(uris: readonly Uri[]): void {
    this.changes.fire(uris.map((uri) => ({ type: FileChangeType.Changed, uri })));
  }

  dispose(): void {
    this.subscription.dispose();
    this.changes.dispose();
  }

  watch(): Disposable {
    // Every change of the store is announced anyway.
    return { dispose: () => undefined };
  }

  async stat(uri: Uri): Promise<FileStat> {
    if (toResourceAddress(uri)) {
      return (await this.resources()).stat(uri);
    }
    const file = this.documents.read(uri.path);
    if (file) {
      return { type: FileType.File, ctime: file.changedAt, mtime: file.changedAt, size: file.data.byteLength };
    }
    if (/^\/(resources(\/[^/]+)?)?$/.test(uri.path) || this.documents.list(uri.path).length > 0) {
      return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    return { type: FileType.File, ctime: 0, mtime: 0, size: this.lost(uri).byteLength };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    if (toResourceAddress(uri)) {
      return (await this.resources()).readFile(uri);
    }
    return this.documents.read(uri.path)?.data ?? this.lost(uri);
  }

  readDirectory(uri: Uri): [string, FileType][] {
    const path = uri.path === '/' ? '' : uri.path;
    return this.documents
      .list(uri.path)
      .map((name) => [name, this.documents.read(`${path}/${name}`) ? FileType.File : FileType.Directory]);
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  copy(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  /** A tab that the editor restores after a reload says what happened instead of failing to open. */
  private lost(uri: Uri): Uint8Array {
    const ending = /\.(jsonc?|md|txt)$/.exec(uri.path)?.[1];
    if (ending === undefined || !/^\/(results|calls|documents)\//.test(uri.path)) {
      throw FileSystemError.FileNotFound(uri);
    }
    return new TextEncoder().encode(`${ending.startsWith('json') ? JSON.stringify(gone) : gone}\n`);
  }
}
