import {
  commands,
  type CodeAction,
  type DocumentSymbol,
  type Hover,
  type Location,
  type LocationLink,
  SymbolKind,
  type SymbolInformation,
  type TextEdit,
  Uri,
  type WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type {
  CodeActionInfo,
  EditorEdit,
  EditorLocation,
  EditorPosition,
  EditorRange,
  EditorSymbol,
  LanguagePort,
  TextReplacement,
} from '../../server/editor/editorTypes';
import type { CodeActions } from './codeActions';
import { fromEdit, fromLocation, fromRange, fromReplacement, toPosition, toRange } from './conversions';

/** The language features by the commands with which the editor offers them to extensions. */
export class EditorLanguage implements LanguagePort {
  constructor(private readonly actions: CodeActions) {}

  async documentSymbols(uri: string): Promise<readonly EditorSymbol[] | undefined> {
    const found = await run<(DocumentSymbol | SymbolInformation)[]>('vscode.executeDocumentSymbolProvider', uri);
    return found?.map((symbol) => ('children' in symbol ? fromDocumentSymbol(symbol, uri) : fromInformation(symbol)));
  }

  async workspaceSymbols(query: string): Promise<readonly EditorSymbol[]> {
    const found = await commands.executeCommand<SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', query);
    return (found ?? []).map(fromInformation);
  }

  definition(uri: string, at: EditorPosition): Promise<readonly EditorLocation[]> {
    return locations('vscode.executeDefinitionProvider', uri, at);
  }

  references(uri: string, at: EditorPosition): Promise<readonly EditorLocation[]> {
    return locations('vscode.executeReferenceProvider', uri, at);
  }

  implementations(uri: string, at: EditorPosition): Promise<readonly EditorLocation[]> {
    return locations('vscode.executeImplementationProvider', uri, at);
  }

  async hover(uri: string, at: EditorPosition): Promise<readonly string[]> {
    const found = await run<Hover[]>('vscode.executeHoverProvider', uri, toPosition(at));
    return (found ?? [])
      .flatMap(({ contents }) => contents)
      .map((part) => (typeof part === 'string' ? part : part.value))
      .filter((text) => text.trim() !== '');
  }

  async codeActions(uri: string, range: EditorRange, kind: string | undefined): Promise<readonly CodeActionInfo[]> {
    const found = await run<CodeAction[]>('vscode.executeCodeActionProvider', uri, toRange(range), kind, 50);
    return this.actions.keep(uri, found ?? []);
  }

  async rename(uri: string, at: EditorPosition, newName: string): Promise<EditorEdit> {
    const edit = await run<WorkspaceEdit>('vscode.executeDocumentRenameProvider', uri, toPosition(at), newName);
    return edit ? fromEdit(edit) : { edits: [], files: [] };
  }

  async format(uri: string, range: EditorRange | undefined): Promise<readonly TextReplacement[] | undefined> {
    const options = formatting(uri);
    const edits =
      range === undefined
        ? await run<TextEdit[]>('vscode.executeFormatDocumentProvider', uri, options)
        : await run<TextEdit[]>('vscode.executeFormatRangeProvider', uri, toRange(range), options);
    return edits?.map(fromReplacement);
  }
}

function run<T>(command: string, uri: string, ...rest: readonly unknown[]): Thenable<T | undefined> {
  return commands.executeCommand<T | undefined>(command, Uri.parse(uri, true), ...rest);
}

async function locations(command: string, uri: string, at: EditorPosition): Promise<readonly EditorLocation[]> {
  return ((await run<(Location | LocationLink)[]>(command, uri, toPosition(at))) ?? []).map(fromLocation);
}

/** As the file's editor has them, else as the settings of its language say. */
function formatting(uri: string): { readonly tabSize: number; readonly insertSpaces: boolean } {
  const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
  const settings = workspace.getConfiguration('editor', Uri.parse(uri, true));
  const tabSize = editor?.options.tabSize ?? settings.get('tabSize');
  const insertSpaces = editor?.options.insertSpaces ?? settings.get('insertSpaces');
  return {
    tabSize: typeof tabSize === 'number' ? tabSize : 4,
    insertSpaces: typeof insertSpaces === 'boolean' ? insertSpaces : true,
  };
}

function fromDocumentSymbol(symbol: DocumentSymbol, uri: string, container?: string): EditorSymbol {
  return {
    name: symbol.name,
    kind: kindName(symbol.kind),
    detail: symbol.detail,
    container,
    uri,
    range: fromRange(symbol.range),
    selection: fromRange(symbol.selectionRange),
    children: symbol.children.map((child) => fromDocumentSymbol(child, uri, symbol.name)),
  };
}

function fromInformation({ name, kind, containerName, location }: SymbolInformation): EditorSymbol {
  return {
    name,
    kind: kindName(kind),
    detail: '',
    container: containerName === '' ? undefined : containerName,
    ...fromLocation(location),
    selection: fromRange(location.range),
    children: [],
  };
}

function kindName(kind: SymbolKind): string {
  const name = SymbolKind[kind];
  return name.charAt(0).toLowerCase() + name.slice(1);
}
