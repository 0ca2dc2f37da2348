import { type ExtensionContext, type TextDocument, Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Contribution, Services } from '../interop/contribution';

/** Validation and hover in config files, by a language server that starts with the first such file that is opened. */
export const configLanguageContribution: Contribution = {
  name: 'config language',
  register: (services) => new ConfigLanguage(services),
};

class ConfigLanguage implements Disposable {
  private readonly store = new DisposableStore();
  private started: Promise<void> | undefined;

  constructor(private readonly services: Services) {
    const { context } = services;
    const filters = filtersFor(context);
    const see = (document: TextDocument): void => {
      if (isConfigFile(document.uri, filters)) {
        this.started ??= this.start(filters);
      }
    };
    this.store.add(workspace.onDidOpenTextDocument(see));
    workspace.textDocuments.forEach(see);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async start(filters: readonly PathFilter[]): Promise<void> {
    const { context, logs } = this.services;
    try {
      const { createConfigClient } = await import('./configClient');
      if (this.store.isDisposed) {
        return;
      }
      const client = createConfigClient(
        Uri.joinPath(context.extensionUri, 'dist', 'configServer.js'),
        filters.map(({ pattern }) => pattern),
        { userMcpJson: userMcpJson(context) },
      );
      this.store.defer(() => {
        client.dispose().catch((error: unknown) => logs.own.warn(`The config server did not end: ${String(error)}`));
      });
      await client.start();
    } catch (error) {
      logs.own.error('The config server could not be started; config files are read all the same.', error);
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
  return ['file', 'vscode-userdata'].includes(uri.scheme) && filters.some(({ matches }) => matches(uri.path));
}

function userMcpJson({ globalStorageUri }: ExtensionContext): string {
  return Uri.joinPath(globalStorageUri, '..', '..', 'mcp.json').fsPath;
}
