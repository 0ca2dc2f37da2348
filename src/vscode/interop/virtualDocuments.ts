import { EventEmitter, languages, Uri, ViewColumn, window, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { scheme } from '../../ids';
import { BoundedFiles } from './boundedFiles';
import { fileName } from './fileName';

const limits = { files: 300, bytes: 64 * 1024 * 1024 };

export interface OpenOptions {
  /** In the preview tab (the default), or in a tab of its own. */
  readonly preview?: boolean;
  readonly preserveFocus?: boolean;
  readonly viewColumn?: ViewColumn;
}

/** The read-only documents of `portico-mcp:`, kept in memory and bounded. Anyone may put one there and open it. */
export class VirtualDocuments implements Disposable {
  private readonly files = new BoundedFiles(limits.files, limits.bytes);
  private readonly changes = new EventEmitter<Uri>();
  readonly onDidChange = this.changes.event;

  /** Keeps a file and gives its address; a file of the same path is replaced, and its open editor follows. */
  put(path: string, content: string | Uint8Array): Uri {
    const uri = Uri.from({ scheme, path });
    const replaced = this.files.get(path) !== undefined;
    this.files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content, Date.now());
    if (replaced) {
      this.changes.fire(uri);
    }
    return uri;
  }

  read(path: string): { readonly data: Uint8Array; readonly changedAt: number } | undefined {
    return this.files.get(path);
  }

  /** The files below a folder, by name. */
  list(folder: string): readonly string[] {
    return this.files.names(folder);
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
