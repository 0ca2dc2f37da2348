import { hostname } from 'node:os';
import { env, type ExtensionContext, version as editorVersion, window, workspace } from 'vscode';
import type { DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { RecordedFolder, WindowRecord } from '../../server/discovery/discoveryTypes';
import { installLauncher } from '../../server/discovery/launcher';
import { PublishedRecord } from '../../server/discovery/publishedRecord';
import { porticoHome } from '../../server/discovery/recordFiles';
import { spokenVersions } from '../../server/endpoint/spokenVersions';
import type { ListenerAddress } from '../../server/serverTypes';

interface Announced {
  readonly id: string;
  readonly address: ListenerAddress;
  /** For bridges. */
  readonly token: string;
  /** For bridges of known agents, by the agent's id. */
  readonly clientTokens: Readonly<Record<string, string>>;
  /** Of the extension. */
  readonly version: string;
  /** The bundle's path. */
  readonly bridge: string;
}

/** Tells bridges of this window until the store is disposed, and gives the path of the launcher that finds them. */
export async function announce(
  { id, address, token, clientTokens, version, bridge }: Announced,
  { environmentVariableCollection }: ExtensionContext,
  log: Logger,
  store: DisposableStore,
): Promise<string> {
  const home = porticoHome();
  const launcher = await installLauncher(home, { path: bridge, version });
  const now = Date.now();
  const record = store.add(
    new PublishedRecord(
      home,
      {
        version: 1,
        id,
        pid: process.pid,
        machine: hostname(),
        host: hostKind(env.remoteName),
        address,
        token,
        clientTokens,
        folders: folders(),
        editor: { name: env.appName, version: editorVersion },
        isTrusted: workspace.isTrusted,
        startedAt: now,
        lastFocusedAt: window.state.focused ? now : 0,
        protocolVersions: spokenVersions,
      },
      log,
    ),
  );
  store.add(workspace.onDidChangeWorkspaceFolders(() => record.update({ folders: folders() })));
  store.add(
    window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        record.update({ lastFocusedAt: Date.now() });
      }
    }),
  );
  environmentVariableCollection.persistent = false;
  environmentVariableCollection.replace('PORTICO_WINDOW', id);
  store.defer(() => environmentVariableCollection.delete('PORTICO_WINDOW'));
  await record.written;
  return launcher;
}

function folders(): readonly RecordedFolder[] {
  return (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath, uri: uri.toString() }));
}

function hostKind(remote: string | undefined): WindowRecord['host'] {
  switch (remote) {
    case undefined:
      return 'local';
    case 'wsl':
      return 'wsl';
    case 'dev-container':
    case 'attached-container':
    case 'codespaces':
      return 'container';
    default:
      return 'ssh';
  }
}
