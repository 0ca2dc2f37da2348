import { extensions, type Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { ChangedFile, GitPort } from '../../server/editor/editorTypes';

/** The part of the Git extension's API (version 1) that is used here. */
interface GitChange {
  readonly uri: Uri;
  readonly status: number;
}
interface GitRepository {
  readonly rootUri: Uri;
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
    readonly onDidChange: (listener: () => void) => Disposable;
  };
  diff(cached?: boolean): Promise<string>;
}
interface GitApi {
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: (listener: (repository: GitRepository) => void) => Disposable;
}
interface GitExtension {
  getAPI(version: 1): GitApi;
}

/** The numbers of that API's `Status`. What is not here is a conflict of some kind. */
const statuses: Readonly<Record<number, ChangedFile['status']>> = {
  0: 'modified',
  1: 'added',
  2: 'deleted',
  3: 'renamed',
  4: 'added',
  5: 'modified',
  6: 'deleted',
  7: 'untracked',
  9: 'added',
  10: 'renamed',
  11: 'modified',
};

/** What the editor's Git extension knows; nothing where it is off. */
export class EditorGit implements GitPort, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private api: Promise<GitApi | undefined> | undefined;

  async changes(): Promise<readonly ChangedFile[] | undefined> {
    const api = await this.load();
    return api?.repositories.flatMap(({ state }) => [
      ...state.indexChanges.map((change) => read(change, true)),
      ...state.mergeChanges.map((change) => read(change, false)),
      ...state.workingTreeChanges.map((change) => read(change, false)),
      ...(state.untrackedChanges ?? []).map((change) => read(change, false)),
    ]);
  }

  async diffs(): Promise<readonly { readonly root: string; readonly text: string }[] | undefined> {
    const api = await this.load();
    const diffs = api?.repositories.flatMap((repository) =>
      [true, false].map(async (cached) => ({ root: repository.rootUri.fsPath, text: await repository.diff(cached) })),
    );
    return diffs && Promise.all(diffs);
  }

  dispose(): void {
    this.store.dispose();
  }

  private load(): Promise<GitApi | undefined> {
    this.api ??= this.connect();
    return this.api;
  }

  private async connect(): Promise<GitApi | undefined> {
    const git = await extensions.getExtension<GitExtension>('vscode.git')?.activate();
    const api = git?.getAPI(1);
    const follow = ({ state }: GitRepository): void => {
      this.store.add(state.onDidChange(() => this.changed.fire()));
    };
    api?.repositories.forEach(follow);
    if (api) {
      this.store.add(api.onDidOpenRepository(follow));
    }
    return api;
  }
}

function read({ uri, status }: GitChange, isStaged: boolean): ChangedFile {
  return { uri: uri.toString(), status: statuses[status] ?? 'conflict', isStaged };
}
