import { EndOfLine, type TextDocument, Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { DocumentsPort, EditorRange, OpenDocument } from '../../server/editor/editorTypes';
import { toRange } from './conversions';

/** The documents that the editor has loaded. */
export class EditorDocuments implements DocumentsPort, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<string>());
  readonly onDidChange = this.changed.event;

  constructor() {
    const tell = ({ uri }: TextDocument): void => this.changed.fire(uri.toString());
    this.store.add(workspace.onDidOpenTextDocument(tell));
    this.store.add(workspace.onDidCloseTextDocument(tell));
    this.store.add(workspace.onDidSaveTextDocument(tell));
    this.store.add(workspace.onDidChangeTextDocument(({ document }) => tell(document)));
  }

  all(): readonly OpenDocument[] {
    return workspace.textDocuments.filter(({ isClosed }) => !isClosed).map(view);
  }

  find(uri: string): OpenDocument | undefined {
    const found = workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === uri);
    return found && view(found);
  }

  async load(uri: string): Promise<OpenDocument> {
    return view(await workspace.openTextDocument(Uri.parse(uri, true)));
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** Reads through to the document, so that it is never older than the editor. */
function view(document: TextDocument): OpenDocument {
  return {
    uri: document.uri.toString(),
    path: document.uri.scheme === 'file' ? document.uri.fsPath : undefined,
    get languageId() {
      return document.languageId;
    },
    get version() {
      return document.version;
    },
    get isDirty() {
      return document.isDirty;
    },
    get eol() {
      return document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
    },
    get encoding() {
      return document.encoding;
    },
    get lineCount() {
      return document.lineCount;
    },
    text: (range?: EditorRange) => document.getText(range && toRange(range)),
  };
}
