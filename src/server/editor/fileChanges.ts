import { DisposableStore } from '../../base/disposable';
import type { Event } from '../../base/emitter';
import type { EditorPorts, FileChange } from './editorTypes';

/** Changes of files as agents see them: on disk, and by what the person has unsaved. */
export function fileChanges({
  workspace,
  documents,
}: Pick<EditorPorts, 'workspace' | 'documents'>): Event<readonly FileChange[]> {
  return (run) => {
    const store = new DisposableStore();
    store.add(workspace.onDidChangeFiles(run));
    store.add(documents.onDidChange((uri) => run([{ uri, kind: 'changed' }])));
    return store;
  };
}
