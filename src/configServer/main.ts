import { createConnection, ProposedFeatures, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { diagnose, hover } from './configDocuments';
import type { ConfigFileKinds } from './configServerTypes';
import { sourceOf } from './configSource';

/** The language server of config files, over whatever its command line names: `--node-ipc` or `--stdio`. */
const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);
let kinds: Partial<ConfigFileKinds> = {};

connection.onInitialize(({ initializationOptions }) => {
  kinds = (initializationOptions ?? {}) as Partial<ConfigFileKinds>;
  // No completion: the editor's own schema completes the keys of the files that it knows.
  return { capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental, hoverProvider: true } };
});

documents.onDidChangeContent(async ({ document }) => {
  const source = sourceOf(document.uri, kinds.userMcpJson);
  if (source === undefined) {
    return;
  }
  const { uri, version } = document;
  const diagnostics = [...(await diagnose(document, source))];
  if (documents.get(uri)?.version === version) {
    await connection.sendDiagnostics({ uri, version, diagnostics });
  }
});

documents.onDidClose(({ document: { uri } }) => connection.sendDiagnostics({ uri, diagnostics: [] }));

connection.onHover(async ({ textDocument, position }) => {
  const document = documents.get(textDocument.uri);
  const source = sourceOf(textDocument.uri, kinds.userMcpJson);
  return document === undefined || source === undefined ? null : hover(document, source, position);
});

documents.listen(connection);
connection.listen();
