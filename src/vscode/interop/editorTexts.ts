import { homedir } from 'node:os';
import { ProgressLocation, window, workspace } from 'vscode';
import { PorticoError, toProblem } from '../../base/errors';
import { promptScheme } from '../../ids';
import type { EditorText } from './argumentRows';
import { toSignal } from './cancellation';
import { commandOutput } from './commandOutput';
import { counted, inertLine } from './text';

/** Longer ones are no argument that a server would take. */
const maxLength = 1_000_000;

/** What the editor in sight has to give as a value. */
export function editorTexts(): readonly EditorText[] {
  const editor = window.activeTextEditor;
  // A draft of a prompt is no source for the next one.
  if (!editor || editor.document.uri.scheme === promptScheme) {
    return [];
  }
  const { document, selection } = editor;
  const file = workspace.asRelativePath(document.uri);
  const lines = selection.end.line - selection.start.line + 1;
  const texts: EditorText[] = [
    { label: 'Active File', description: `text of ${file}`, value: document.getText() },
    {
      label: 'Selection',
      description:
        lines === 1 ? `in line ${selection.start.line + 1} of ${file}` : `${counted(lines, 'line')} of ${file}`,
      value: document.getText(selection),
    },
  ];
  return texts.filter(({ value }) => value !== '' && value.length <= maxLength);
}

/** A folder that is not trusted may bring its own commands along. */
export function commandsAllowed(): boolean {
  return workspace.isTrusted;
}

/** Runs `line`, or one that is asked for where it is empty. Nothing when it was cancelled or failed, which is said. */
export async function askCommandOutput(title: string, line: string): Promise<string | undefined> {
  const cwd = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? homedir();
  const command =
    line ||
    (await window.showInputBox({
      title,
      prompt: `Your shell runs it in ${cwd}; what it prints becomes the value. Enter runs it.`,
      placeHolder: 'Command line, such as git diff',
      ignoreFocusOut: true,
    }));
  if (!command) {
    return undefined;
  }
  try {
    return await window.withProgress(
      { location: ProgressLocation.Notification, title: `Running ${inertLine(command)}`, cancellable: true },
      async (_, token) => {
        const { signal, dispose } = toSignal(token);
        try {
          return await commandOutput(command, { cwd, signal });
        } finally {
          dispose();
        }
      },
    );
  } catch (error) {
    if (!PorticoError.is(error, 'CANCELLED')) {
      void window.showErrorMessage(inertLine(toProblem(error).message, 1_000));
    }
    return undefined;
  }
}
