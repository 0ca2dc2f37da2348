import { type ChatPromptReference, type ChatRequest, LanguageModelChatMessage, Location, Uri, workspace } from 'vscode';
import { toProblem } from '../../base/errors';

/** The editor attaches its own index of skills by itself; it speaks of tools that are not offered here. */
const notForUs = 'vscode.customizations.index';

/** Attached text beyond this is cut, in characters. */
const maxAttachment = 20_000;

/** What the person asked, with the text of what they attached. */
export async function promptMessage(request: ChatRequest): Promise<LanguageModelChatMessage> {
  const attached = await Promise.all(request.references.filter(({ id }) => id !== notForUs).map(attachment));
  return LanguageModelChatMessage.User([...attached, request.prompt].filter((text) => text !== '').join('\n\n'));
}

async function attachment({ value, modelDescription }: ChatPromptReference): Promise<string> {
  if (typeof value === 'string') {
    return `Attached${modelDescription === undefined ? '' : ` (${modelDescription})`}:\n${cut(value)}`;
  }
  const uri = value instanceof Location ? value.uri : value instanceof Uri ? value : undefined;
  if (!uri) {
    return '';
  }
  try {
    const document = await workspace.openTextDocument(uri);
    const text = document.getText(value instanceof Location ? value.range : undefined);
    return `Attached ${uri.toString(true)}:\n${cut(text)}`;
  } catch (error) {
    return `Attached ${uri.toString(true)}, which could not be read as text: ${toProblem(error).message}`;
  }
}

function cut(text: string): string {
  return text.length > maxAttachment ? `${text.slice(0, maxAttachment)}\n[cut]` : text;
}
