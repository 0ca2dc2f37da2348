import { EventEmitter, languages, Uri, ViewColumn, window, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { scheme } from '../../ids';
import { BoundedMap } from './boundedMap';
import { fileName } from './fileName';

const limits = { files: 300, bytes: 64 * 1024 * 1024 };

interface StoredFile {
  readonly data: Uint8Array;
  readonly changedAt: number;
}

export interface OpenOptions {
  /** In the preview tab (the default), or in a tab of its own. */
  readonly preview?: boolean;
  readonly preserveFocus?: boolean;
  readonly viewColumn?: ViewColumn;
}

/** The read-only documents of `portico-mcp:`, kept in memory and bounded. Anyone may put one there and open it. */
export class VirtualDocuments implements Disposable {
  private readonly files = new BoundedMap<StoredFile>(limits.files, limits.bytes);
  private readonly changes = new EventEmitter<Uri>();
  readonly onDidChange = this.changes.event;

  /** Keeps a file and gives its address; a file of the same path is replaced, and its open editor follows. */
  put(path: string, content: string | Uint8Array): Uri {
    const uri = Uri.from({ scheme, path });
    const replaced = this.files.get(path) !== undefined;
    const data = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.files.set(path, { data, changedAt: Date.now() }, data.byteLength);
    if (replaced) {
      this.changes.fire(uri);
    }
    return uri;
  }

  read(path: string): StoredFile | undefined {
    return this.files.get(path);
  }

  /** The names directly below a folder. */
  list(folder: string): readonly string[] {
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    const below = [...this.files.keys()].filter((path) => path.startsWith(prefix));
    return [...new Set(below.map((path) => path.slice(prefix.length).split('/')[0] ?? ''))];
  }

  /** Puts a text under `name` (its ending gives the language, unless one is named) and shows it. */
  async openDocument(name: string, content: string, language?: string, options?: OpenOptions): Promise<void> {
    await this.show(this.put(`/documents/${fileName(name)}`, content), language, options);
  }

  async show(uri: Uri, language?: string, options: OpenOptions = {}): Promise<void> {
    const document = await workspace.openTextDocument(uri);
    if (language !== undefined && document.languageId !== language) {
      await languages.setTextDocumentLanguage(document, language);
    }
    await window.showTextDocument(document, {
      preview: options.preview ?? true,
      preserveFocus: options.preserveFocus ?? false,
      viewColumn: options.viewColumn ?? ViewColumn.Active,
    });
  }

  dispose(): void {
    this.changes.dispose();
  }
}
