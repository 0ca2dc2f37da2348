import { isObject } from '../../base/jsonObject';
import { contentLabel, type PromptMessage, textOf } from './promptDocument';
import { fencedBlock } from './markdown';
import { plainLine } from './text';

/**
 * Messages as one text: who says what is labelled where there is more than one. `attached` names the contents that go
 * along as files and need not be in the text.
 */
export function promptText(
  messages: readonly PromptMessage[],
  attached: (message: PromptMessage) => string | undefined = () => undefined,
): string {
  const texts = messages.map((message) => ({ role: message.role, said: said(message, attached(message)) }));
  return texts.length === 1
    ? (texts[0]?.said ?? '')
    : texts.map(({ role, said }) => `${role === 'user' ? 'User' : 'Assistant'}: ${said}`).join('\n\n');
}

function said({ content }: PromptMessage, attachedAs: string | undefined): string {
  const plain = textOf(content);
  if (plain !== undefined) {
    return plain;
  }
  const label = plainLine(contentLabel(content), 200);
  if (attachedAs !== undefined) {
    return `[attached: ${attachedAs}]`;
  }
  const resource = isObject(content['resource']) ? content['resource'] : {};
  return typeof resource['text'] === 'string' ? `[${label}]\n${fencedBlock(resource['text'])}` : `[${label}]`;
}
