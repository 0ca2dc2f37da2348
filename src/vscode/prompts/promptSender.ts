import { commands as editorCommands, env, Uri, window, workspace } from 'vscode';
import { assertNever } from '../../base/errors';
import { participantName } from '../../ids';
import type { Services } from '../interop/contribution';
import { fromDocument, type PromptMessage } from '../interop/promptDocument';
import type { PromptDraft } from '../interop/promptDrafts';
import { promptText } from '../interop/promptText';
import type { LastEditor } from './lastEditor';

export type Way = 'portico' | 'chat' | 'insert' | 'copy';

/** Brings the messages of a draft, as they are now, to where the person wants them. */
export class PromptSender {
  constructor(
    private readonly services: Pick<Services, 'drafts'>,
    private readonly last: LastEditor,
  ) {}

  async send(way: Way, uri: Uri, draft: PromptDraft): Promise<void> {
    const document = await workspace.openTextDocument(uri);
    const messages = fromDocument(draft, document.getText());
    if (messages.length === 0) {
      void window.showInformationMessage('Nothing is left of this prompt: there is nothing to send.');
      return;
    }
    switch (way) {
      case 'portico':
        this.services.drafts.write(uri.path, document.getText());
        await openChat(`@${participantName} `, [uri]);
        return;
      case 'chat':
        await openChat(...toChat(draft, messages));
        return;
      case 'insert':
        await this.insert(promptText(messages));
        return;
      case 'copy':
        await env.clipboard.writeText(promptText(messages));
        window.setStatusBarMessage('$(check) Prompt copied', 3_000);
        return;
      default:
        assertNever(way);
    }
  }

  private async insert(text: string): Promise<void> {
    const { editor } = this.last;
    if (!editor) {
      void window.showInformationMessage(
        'No text editor is open to insert the prompt into. Open one, put the cursor where it shall go, and insert from the draft.',
      );
      return;
    }
    const { document, viewColumn, selection } = editor;
    const shown = await window.showTextDocument(document, { selection, ...(viewColumn ? { viewColumn } : {}) });
    if (!(await shown.edit((edit) => edit.replace(shown.selection, text)))) {
      void window.showWarningMessage('The prompt could not be inserted: this editor is read-only.');
    }
  }
}

/** The text that the chat gets, and what is attached to it instead of standing in it. */
function toChat(draft: PromptDraft, messages: readonly PromptMessage[]): [query: string, files: Uri[]] {
  const files: Uri[] = [];
  const text = promptText(messages, ({ content }) => {
    const link =
      content['type'] === 'audio' ? undefined : draft.links[draft.messages.findIndex((one) => one.content === content)];
    if (link === undefined) {
      return undefined;
    }
    const uri = Uri.parse(link, true);
    files.push(uri);
    return uri.path.split('/').at(-1);
  });
  return [text, files];
}

/** The person presses Enter themselves. */
async function openChat(query: string, attachFiles: readonly Uri[]): Promise<void> {
  await editorCommands.executeCommand('workbench.action.chat.open', { query, isPartialQuery: true, attachFiles });
}
