import { type Memento, type MessageItem, window } from 'vscode';
import { PorticoError } from '../../base/errors';

const key = 'portico.agents.consent';

const detail =
  'Agents that you connect (such as Claude Code or Codex) can read, in trusted workspaces of this machine:\n\n' +
  '•  files of the workspace, with unsaved text; secret files such as .env and keys are held back\n' +
  '•  problems, symbols, open editors, the selection, changes in Git\n' +
  '•  the servers that Portico runs, under your approvals\n\n' +
  'Editing and running tasks stay off until you turn them on, and ask each time. Only programs of your user on this ' +
  'machine get in, with a token. What they were given is listed in Activity. Stop Sharing ends it in all windows.';

export function hasAgreed(state: Memento): boolean {
  return state.get(key) === true;
}

/** Asks once on this machine, in a dialog. Rejects with CANCELLED where the person does not agree. */
export async function askConsent(state: Memento): Promise<void> {
  if (hasAgreed(state)) {
    return;
  }
  // The default although Enter gives it: the person has just asked to share, and the dialog itself is all there is to look at.
  const share = 'Share';
  const answer = await window.showInformationMessage('Share the editor with agents?', { modal: true, detail }, share);
  if (answer !== share) {
    throw new PorticoError('CANCELLED', 'Nothing is shared with agents.', { show: false });
  }
  await state.update(key, true);
}

/**
 * For a setting that shares before the person has agreed: a notification, and no dialog out of nothing. Gives what they
 * want; nothing while they only put it off.
 */
export async function offerConsent(): Promise<'review' | 'keepOff' | undefined> {
  const review = { title: 'Review…', choice: 'review' } as const;
  const keepOff = { title: 'Keep Off', choice: 'keepOff' } as const;
  const answer = await window.showInformationMessage<MessageItem & { readonly choice: 'review' | 'keepOff' }>(
    'Your settings share the editor with agents on this machine. Nothing is shared until you agree.',
    review,
    keepOff,
  );
  return answer?.choice;
}
