import {
  type ChatContext,
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  ChatResponseTurn,
  LanguageModelChatMessage,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from 'vscode';
import { fromAsked } from './asked';
import { type Exchange, readExchanges } from './exchanges';

/** Turns before these are forgotten. */
const maxTurns = 20;

/** The conversation so far, as the model saw it: results of tools included where the earlier turns kept them. */
export function fromHistory(history: ChatContext['history']): LanguageModelChatMessage[] {
  return history.slice(-2 * maxTurns).flatMap((turn, index, turns) => {
    if (turn instanceof ChatRequestTurn) {
      const answer = turns[index + 1];
      const asked = answer instanceof ChatResponseTurn ? fromAsked(answer.result.metadata) : undefined;
      return asked ?? [LanguageModelChatMessage.User(turn.prompt)];
    }
    if (!(turn instanceof ChatResponseTurn)) {
      return [];
    }
    const exchanges = readExchanges(turn.result.metadata);
    return exchanges.length > 0 ? exchanges.flatMap(toMessages) : fromMarkdown(turn);
  });
}

function toMessages({ text, calls }: Exchange): LanguageModelChatMessage[] {
  const said = [
    ...(text === '' ? [] : [new LanguageModelTextPart(text)]),
    ...calls.map(({ id, name, input }) => new LanguageModelToolCallPart(id, name, input)),
  ];
  const results = calls.map(
    ({ id, result }) => new LanguageModelToolResultPart(id, [new LanguageModelTextPart(result)]),
  );
  return [
    ...(said.length > 0 ? [LanguageModelChatMessage.Assistant(said)] : []),
    ...(results.length > 0 ? [LanguageModelChatMessage.User(results)] : []),
  ];
}

function fromMarkdown(turn: ChatResponseTurn): LanguageModelChatMessage[] {
  const text = turn.response.map((part) => (part instanceof ChatResponseMarkdownPart ? part.value.value : '')).join('');
  return text === '' ? [] : [LanguageModelChatMessage.Assistant(text)];
}
