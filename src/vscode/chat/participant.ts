import { chat, Uri } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { participantId } from '../../ids';
import type { Contribution, Services } from '../interop/contribution';

/** `@portico`: the servers' tools in a chat of Portico's own, whatever model is chosen. */
export const participantContribution: Contribution = { name: 'participant', register: registerParticipant };

function registerParticipant({ context, hub, logs, drafts }: Services): Disposable {
  const participant = chat.createChatParticipant(participantId, async (request, chatContext, stream, token) => {
    // Schemas for models and the loop are needed with the first question only.
    const { answerRequest } = await import('./answerRequest');
    return answerRequest({ hub, log: logs.own, drafts }, request, chatContext, stream, token);
  });
  participant.iconPath = Uri.joinPath(context.extensionUri, 'media', 'icon.png');
  return participant;
}
