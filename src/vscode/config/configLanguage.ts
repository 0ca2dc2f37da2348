import { type ExtensionContext, type TextDocument, Uri, workspace } from 'vscode';
import type { BaseLanguageClient, DocumentFilter } from 'vscode-languageclient';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ConfigFileKinds } from '../../configServer/configServerTypes';
import type { Contribution, Services } from '../interop/contribution';

/** Validation and hover in config files, by a language server that starts with the first such file that is opened. */
export const configLanguageContribution: Contribution = {
  name: 'config language',
  register: (services) => new ConfigLanguage(services),
};

class ConfigLanguage implements Disposable {
  private readonly store = new DisposableStore();
  private client: Promise<BaseLanguageClient | undefined> | undefined;

  constructor(private readonly services: Services) {
    const { context } = services;
    const filters = filtersFor(context);
    const see = (document: TextDocument): void => {
      if (isConfigFile(document.uri, filters)) {
        this.client ??= this.start(filters);
      }
    };
    this.store.add(workspace.onDidOpenTextDocument(see));
    workspace.textDocuments.forEach(see);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async start(filters: readonly PathFilter[]): Promise<BaseLanguageClient | undefined> {
    const { context, logs } = this.services;
    try {
      const { LanguageClient, TransportKind } = await import('vscode-languageclient/node');
      if (this.store.isDisposed) {
        return undefined;
      }
      const module = Uri.joinPath(context.extensionUri, 'dist', 'configServer.js').fsPath;
      const client = new LanguageClient(
        'portico.config',
        'Portico: Configuration',
        { module, transport: TransportKind.ipc },
        {
          documentSelector: filters.map(({ pattern }): DocumentFilter => ({ scheme: 'file', pattern })),
          initializationOptions: { userMcpJson: userMcpJson(context) } satisfies ConfigFileKinds,
        },
      );
      this.store.defer(() => {
        client.dispose().catch((error: unknown) => logs.own.warn(`The config server did not end: ${String(error)}`));
      });
      await client.start();
      return client;
    } catch (error) {
      logs.own.error('The config server could not be started; config files are read all the same.', error);
      return undefined;
    }
  }
}

interface PathFilter {
  readonly pattern: string;
  readonly matches: (path: string) => boolean;
}

function filtersFor(context: ExtensionContext): readonly PathFilter[] {
  const ending = (end: string): PathFilter => ({ pattern: `**/${end}`, matches: (path) => path.endsWith(`/${end}`) });
  const user = Uri.joinPath(context.globalStorageUri, '..', '..');
  const own = (name: string): PathFilter => {
    const { path, fsPath } = Uri.joinPath(user, name);
    return { pattern: fsPath.replaceAll('\\', '/'), matches: (candidate) => candidate === path };
  };
  return [
    ending('.mcp.json'),
    ending('.vscode/mcp.json'),
    ending('.vscode/settings.json'),
    { pattern: '**/*.code-workspace', matches: (path) => path.endsWith('.code-workspace') },
    own('mcp.json'),
    own('settings.json'),
  ];
}

function isConfigFile(uri: Uri, filters: readonly PathFilter[]): boolean {
  return uri.scheme === 'file' && filters.some(({ matches }) => matches(uri.path));
}

function userMcpJson({ globalStorageUri }: ExtensionContext): string {
  return Uri.joinPath(globalStorageUri, '..', '..', 'mcp.json').fsPath;
}
