import { type Disposable, DisposableStore } from '../../../base/disposable';
import type { Event } from '../../../base/emitter';
import { KeyedListeners } from '../../../base/keyedListeners';
import { uriKey } from '../addresses';
import type { EditorPorts } from '../editorTypes';
import { fileChanges } from '../fileChanges';
import { pathKey, pathOfFileUri } from '../files/fileNames';
import type { WorkspaceFiles } from '../workspaceTypes';
import type { DiagnosticsQuery } from './diagnosticsReader';

type Uris = readonly string[];

/** Who waits for what may change diagnostics: that they are published, or that the text that they are of is another. */
export class DiagnosticsWatches {
  private readonly ofFiles: KeyedListeners<Uris>;
  private readonly ofDirectories: KeyedListeners<Uris>;
  private readonly ofWorkspace: KeyedListeners<Uris>;

  constructor(
    ports: Pick<EditorPorts, 'workspace' | 'documents' | 'diagnostics'>,
    private readonly files: Pick<WorkspaceFiles, 'ofUri' | 'platform'>,
  ) {
    const changes = diagnosticsChanges(ports);
    this.ofFiles = new KeyedListeners(changes, (uris) => uris.map((uri) => uriKey(uri, files.platform)));
    this.ofDirectories = new KeyedListeners(changes, (uris) => this.directoriesOf(uris));
    this.ofWorkspace = new KeyedListeners(changes, (uris) => (uris.some((uri) => files.ofUri(uri)) ? [''] : []));
  }

  /** Calls back at each change that the scope may be concerned by, until disposed. */
  add(scope: DiagnosticsQuery['scope'], changed: () => void): Disposable {
    const { platform } = this.files;
    switch (scope.kind) {
      case 'workspace':
        return this.ofWorkspace.add([''], changed);
      case 'directory': {
        const { path } = scope.directory;
        return this.ofDirectories.add(path === undefined ? [] : [pathKey(path, platform)], changed);
      }
      case 'files':
        return this.ofFiles.add(
          scope.files.map(({ uri }) => uriKey(uri, platform)),
          changed,
        );
    }
  }

  /** Those that somebody waits for; whether a file may be told of is looked at for them alone. */
  private directoriesOf(uris: Uris): Iterable<string> {
    const { platform } = this.files;
    const found = new Set<string>();
    for (const uri of uris) {
      const path = pathOfFileUri(uri, platform);
      const waiting = path === undefined ? [] : upwards(pathKey(path, platform));
      const more = waiting.filter((key) => this.ofDirectories.has(key) && !found.has(key));
      if (more.length > 0 && this.files.ofUri(uri) !== undefined) {
        more.forEach((key) => found.add(key));
      }
    }
    return found;
  }
}

function diagnosticsChanges(ports: Pick<EditorPorts, 'workspace' | 'documents' | 'diagnostics'>): Event<Uris> {
  return (run) => {
    const store = new DisposableStore();
    store.add(ports.diagnostics.onDidChange(run));
    store.add(fileChanges(ports)((changes) => run(changes.map(({ uri }) => uri))));
    return store;
  };
}

/** The keys of a path and of all directories that it is in. */
function upwards(key: string): readonly string[] {
  const keys: string[] = [];
  for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1)) {
    keys.push(key.slice(0, end));
  }
  return [...keys, ''];
}
