import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  type LanguageModelChatMessage,
  LanguageModelError,
  MarkdownString,
} from 'vscode';
import { PorticoError, toProblem } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { Hub } from '../../core/hubTypes';
import { toSignal } from '../interop/cancellation';
import type { PromptDrafts } from '../interop/promptDrafts';
import { toAsked } from './asked';
import { ChatLoop } from './chatLoop';
import { toMetadata } from './exchanges';
import { fromHistory } from './history';
import { listOffers, offerCommands, type OfferKind } from './listOffers';
import { promptMessages } from './promptMessages';

/** One turn of `@portico`: a list, or the model with the servers' tools until it has an answer. */
export async function answerRequest(
  services: { readonly hub: Hub; readonly log: Logger; readonly drafts: PromptDrafts },
  request: ChatRequest,
  context: ChatContext,
  stream: ChatResponseStream,
  token: CancellationToken,
): Promise<ChatResult> {
  const { hub, log } = services;
  await hub.ready;
  hub.freshen();
  const { command } = request;
  if (command === 'tools' || command === 'resources' || command === 'prompts') {
    const list = new MarkdownString(listOffers(hub, command satisfies OfferKind, request.prompt));
    list.isTrusted = { enabledCommands: offerCommands[command] };
    stream.markdown(list);
    return {};
  }
  const { signal, dispose } = toSignal(token);
  const loop = new ChatLoop(hub, request.model, stream, token, signal);
  let asked: readonly LanguageModelChatMessage[] = [];
  const metadata = (): ChatResult['metadata'] => ({ ...toMetadata(loop.exchanges), asked: toAsked(asked) });
  try {
    asked = await promptMessages(services, request, signal, (doing) => stream.progress(doing));
    if (asked.length === 0) {
      // The name alone stays in the box after each answer, and is soon sent by an Enter too many.
      stream.markdown('Ask something after `@portico`, or attach a prompt or a resource.');
      return {};
    }
    await loop.run(fromHistory(context.history), asked);
    return { metadata: metadata() };
  } catch (error) {
    if (token.isCancellationRequested || PorticoError.is(error, 'CANCELLED')) {
      return { metadata: metadata() };
    }
    log.warn(`@portico: ${toProblem(error).code}: ${toProblem(error).message}`);
    return { errorDetails: { message: explain(error) }, metadata: metadata() };
  } finally {
    dispose();
  }
}

/** What went wrong with the model, and what to do about it. */
function explain(error: unknown): string {
  const { code, message } = toProblem(error);
  switch (error instanceof LanguageModelError ? code : '') {
    case LanguageModelError.NotFound.name:
      return 'The chosen language model is not there any more. Choose another one in the model picker and ask again.';
    case LanguageModelError.NoPermissions.name:
      return 'Portico may not use this language model. Allow it when VS Code asks, or choose another model, and ask again.';
    case LanguageModelError.Blocked.name:
      return `The language model refused the request: ${message} Wait a while, or choose another model.`;
    default:
      return `The language model failed: ${message} Ask again, or choose another model.`;
  }
}
