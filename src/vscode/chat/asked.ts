import {
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  LanguageModelDataPart,
  LanguageModelTextPart,
} from 'vscode';
import { isObject } from '../../base/jsonObject';
import { toPlainText } from '../interop/contentParts';

/** A message that a turn began with, as the chat stores it: attachments and prompts are not in the turn's own text. */
interface AskedMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** All that one turn keeps of what was attached, in characters. */
const maxKept = 40_000;

/** For the metadata of a turn; nothing where the turn's own text says it all. */
export function toAsked(messages: readonly LanguageModelChatMessage[]): readonly AskedMessage[] | undefined {
  const [only] = messages;
  if (messages.length === 1 && only?.content.length === 1) {
    return undefined;
  }
  let room = maxKept;
  // The newest matter most: the person's own words are in the last.
  return [...messages]
    .reverse()
    .map(({ role, content }): AskedMessage => {
      const parts = content.filter(
        (part) => part instanceof LanguageModelTextPart || part instanceof LanguageModelDataPart,
      );
      const text = toPlainText(parts, Math.max(room, 200));
      room -= text.length;
      return { role: role === LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user', text };
    })
    .reverse();
}

/** Reads what an earlier turn stored; nothing where it stored none. */
export function fromAsked(metadata: unknown): LanguageModelChatMessage[] | undefined {
  const stored = isObject(metadata) ? metadata['asked'] : undefined;
  if (!Array.isArray(stored)) {
    return undefined;
  }
  return stored.flatMap((message: unknown) => {
    if (!isObject(message) || typeof message['text'] !== 'string') {
      return [];
    }
    const { role, text } = message;
    return role === 'assistant' ? LanguageModelChatMessage.Assistant(text) : LanguageModelChatMessage.User(text);
  });
}
