import { Uri, workspace } from 'vscode';
import type { EditorEdit, EditsPort } from '../../server/editor/editorTypes';
import type { CodeActions } from './codeActions';
import { toEdit } from './conversions';

/** Changes to buffers, each one step of undo. */
export class EditorEdits implements EditsPort {
  constructor(
    private readonly actions: CodeActions,
    private readonly savesAfter: () => boolean,
  ) {}

  async apply(edit: EditorEdit): Promise<boolean> {
    if (!(await workspace.applyEdit(toEdit(edit)))) {
      return false;
    }
    if (this.savesAfter()) {
      await Promise.all(edit.edits.map(({ uri }) => workspace.save(Uri.parse(uri, true))));
    }
    return true;
  }

  applyCodeAction(id: string): Promise<boolean> {
    return this.actions.apply(id);
  }
}
