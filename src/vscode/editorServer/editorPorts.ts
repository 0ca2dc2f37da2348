import type { ReadonlySignal } from '@preact/signals-core';
import type { DisposableStore } from '../../base/disposable';
import type { EditorPorts, EditorServerSettings } from '../../server/editor/editorTypes';
import type { Services } from '../interop/contribution';
import { CodeActions } from './codeActions';
import { EditorConfirm } from './confirmPort';
import { EditorDiagnostics } from './diagnosticsPort';
import { EditorDocuments } from './documentsPort';
import { EditorEdits } from './editsPort';
import { EditorGit } from './gitPort';
import { EditorLanguage } from './languagePort';
import { Proposals } from './proposals';
import { EditorTasks } from './tasksPort';
import { EditorView } from './viewPort';
import { EditorWorkspace } from './workspacePort';

/** The editor as the editor server sees it; all of it is let go of with the store. */
export function createEditorPorts(
  { documents, logs }: Pick<Services, 'documents' | 'logs'>,
  settings: ReadonlySignal<EditorServerSettings>,
  savesEdits: ReadonlySignal<boolean>,
  store: DisposableStore,
): EditorPorts {
  const proposals = store.add(new Proposals(documents, logs));
  const actions = new CodeActions();
  return {
    workspace: store.add(new EditorWorkspace()),
    documents: store.add(new EditorDocuments()),
    view: store.add(new EditorView(proposals)),
    diagnostics: store.add(new EditorDiagnostics()),
    language: new EditorLanguage(actions),
    edits: new EditorEdits(actions, () => savesEdits.peek()),
    tasks: store.add(new EditorTasks(logs.own)),
    git: store.add(new EditorGit()),
    confirm: new EditorConfirm(proposals),
    settings,
  };
}
