import { window } from 'vscode';
import { inertLine } from '../interop/text';
import type { Undo } from './fileEdit';

/** Says what was done and offers to take it back, newest first. Nobody waits for the answer. */
export function offerUndo(message: string, undos: readonly Undo[]): void {
  const offer = async (): Promise<void> => {
    if ((await window.showInformationMessage(message, 'Undo')) !== 'Undo') {
      return;
    }
    for (const undo of undos) {
      if (!(await undo())) {
        void window.showWarningMessage('A file has been edited since. Nothing more was undone.');
        return;
      }
    }
  };
  offer().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(inertLine(`It could not be undone: ${reason}`, 1_000));
  });
}
