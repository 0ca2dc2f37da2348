import { signal } from '@preact/signals-core';
import { type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { FileChange, WorkspaceFolderInfo, WorkspacePort } from '../../server/editor/editorTypes';

/** What changes within this time, in milliseconds, is told together: a checkout touches thousands of files. */
const gatherMs = 50;
const excludeSettings = ['files.exclude', 'search.exclude'] as const;

/** The workspace's folders on the extension host's file system, and what happens below them. */
export class EditorWorkspace implements WorkspacePort, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<readonly FileChange[]>());
  private readonly gathered = new Map<string, FileChange>();
  private timer: NodeJS.Timeout | undefined;
  readonly folders = signal(currentFolders());
  readonly isTrusted = signal(workspace.isTrusted);
  readonly excludes = signal(currentExcludes());
  readonly onDidChangeFiles = this.changed.event;

  constructor() {
    this.store.add(
      workspace.onDidChangeWorkspaceFolders(() => {
        this.folders.value = currentFolders();
        this.excludes.value = currentExcludes();
      }),
    );
    this.store.add(workspace.onDidGrantWorkspaceTrust(() => (this.isTrusted.value = true)));
    this.store.add(
      workspace.onDidChangeConfiguration((event) => {
        if (excludeSettings.some((setting) => event.affectsConfiguration(setting))) {
          this.excludes.value = currentExcludes();
        }
      }),
    );
    const watcher = this.store.add(workspace.createFileSystemWatcher('**/*'));
    this.store.add(watcher.onDidCreate((uri) => this.gather(uri, 'created')));
    this.store.add(watcher.onDidChange((uri) => this.gather(uri, 'changed')));
    this.store.add(watcher.onDidDelete((uri) => this.gather(uri, 'deleted')));
    this.store.defer(() => clearTimeout(this.timer));
  }

  dispose(): void {
    this.store.dispose();
  }

  private gather(uri: Uri, kind: FileChange['kind']): void {
    this.gathered.set(uri.toString(), { uri: uri.toString(), kind });
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const changes = [...this.gathered.values()];
      this.gathered.clear();
      this.changed.fire(changes);
    }, gatherMs);
  }
}

function currentFolders(): readonly WorkspaceFolderInfo[] {
  return (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, uri: uri.toString(), path: uri.fsPath }));
}

function currentExcludes(): Readonly<Record<string, readonly string[]>> {
  const scopes: readonly (Uri | undefined)[] = [undefined, ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  return Object.fromEntries(
    scopes.map((scope) => {
      const configuration = workspace.getConfiguration(undefined, scope);
      const globs = excludeSettings.flatMap((setting) =>
        Object.entries(configuration.get<Readonly<Record<string, unknown>>>(setting) ?? {}),
      );
      return [scope?.toString() ?? '', [...new Set(globs.flatMap(([glob, on]) => (on === true ? [glob] : [])))]];
    }),
  );
}
