import type { Uri } from 'vscode';
import { type BaseLanguageClient, LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { ConfigFileKinds } from '../../configServer/configServerTypes';

/** Files, and the user's own files as the editor shows them. */
const schemes = ['file', 'vscode-userdata'];

/**
 * The client of the config server. Loaded on first use by its own file: the package is CommonJS, whose names a dynamic
 * import does not give.
 */
export function createConfigClient(
  server: Uri,
  patterns: readonly string[],
  kinds: ConfigFileKinds,
): BaseLanguageClient {
  return new LanguageClient(
    'portico.config',
    'Portico: Configuration',
    { module: server.fsPath, transport: TransportKind.ipc },
    {
      documentSelector: patterns.flatMap((pattern) => schemes.map((scheme) => ({ scheme, pattern }))),
      initializationOptions: kinds,
    },
  );
}
