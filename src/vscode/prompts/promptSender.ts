import { env, type TextDocument, Uri, window, workspace } from 'vscode';
import { assertNever } from '../../base/errors';
import { participantName } from '../../ids';
import { closeTabs } from '../interop/closeTabs';
import type { Services } from '../interop/contribution';
import { conversationTitle } from '../interop/conversationTitle';
import { openChat } from '../interop/openChat';
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
        // Left in sight, the chat would take it as a further attachment.
        await closeTabs(document);
        await openChat([uri], `@${participantName} ${conversationTitle(draft)} `);
        return;
      case 'chat': {
        const { files, text } = toChat(draft, messages);
        await closeTabs(document);
        await openChat(files, text);
        return;
      }
      case 'insert':
        await this.insert(promptText(messages), document);
        return;
      case 'copy':
        await env.clipboard.writeText(promptText(messages));
        window.setStatusBarMessage('$(check) Prompt copied', 3_000);
        return;
      default:
        assertNever(way);
    }
  }

  private async insert(text: string, draft: TextDocument): Promise<void> {
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
      return;
    }
    await closeTabs(draft);
  }
}

/** The text that the chat gets, and what is attached to it instead of standing in it. */
function toChat(
  { messages: originals, links }: PromptDraft,
  messages: readonly PromptMessage[],
): { readonly text: string; readonly files: readonly Uri[] } {
  const files: Uri[] = [];
  const text = promptText(messages, ({ content }) => {
    const link = links[originals.findIndex((message) => message.content === content)];
    // The chat takes pictures from disk only, and no sound.
    if (link === undefined || content['type'] === 'image' || content['type'] === 'audio') {
      return undefined;
    }
    const uri = Uri.parse(link, true);
    files.push(uri);
    return uri.path.split('/').at(-1);
  });
  // What the chat would take as a command or as somebody to ask is the server's text all the same.
  return { text: /^\s*[@/#]/.test(text) ? `User: ${text}` : text, files };
}
