import { window } from 'vscode';
import { inertLine } from './text';

/** Takes an edit back. False where the file has been edited since, so that nothing of the person's is lost. */
export type Undo = () => Promise<boolean>;

/** Says what was done and offers to take it back, newest first. Nobody waits for the answer. */
export function offerUndo(message: string, undos: readonly Undo[]): void {
  void window.showInformationMessage(message, 'Undo').then((answer) => {
    if (answer === 'Undo') {
      takeBack(undos);
    }
  });
}

/** Takes edits back, and tells what could not be. Nobody waits for it. */
export function takeBack(undos: readonly Undo[]): void {
  const all = async (): Promise<void> => {
    for (const undo of undos) {
      if (!(await undo())) {
        void window.showWarningMessage('A file has been edited since. Nothing more was undone.');
        return;
      }
    }
  };
  all().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(inertLine(`It could not be undone: ${reason}`, 1_000));
  });
}
