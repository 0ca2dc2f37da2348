import { type ChatRequest, LanguageModelChatMessage, LanguageModelTextPart, Uri } from 'vscode';
import { promptScheme } from '../../ids';
import type { Hub } from '../../core/hubTypes';
import { type ContentPart, toContentParts } from '../interop/contentParts';
import { fromDocument, type PromptMessage } from '../interop/promptDocument';
import { withoutTitle } from '../interop/conversationTitle';
import type { PromptDraft, PromptDrafts } from '../interop/promptDrafts';
import { attachmentParts } from './attachments';

/** The editor attaches its own index of skills by itself; it speaks of tools that are not offered here. */
const notForUs = 'vscode.customizations.index';

/** What the person asks, as messages: those of attached prompts in their roles, then their own words with what they attached. */
export async function promptMessages(
  services: { readonly hub: Hub; readonly drafts: PromptDrafts },
  { prompt, references }: Pick<ChatRequest, 'prompt' | 'references'>,
  signal: AbortSignal,
  report: (doing: string) => void,
): Promise<LanguageModelChatMessage[]> {
  const { hub, drafts } = services;
  const paths = new Set<string>();
  const parts: ContentPart[] = [];
  for (const reference of references.filter(({ id }) => id !== notForUs)) {
    const { id, value } = reference;
    if (value instanceof Uri && value.scheme === promptScheme) {
      // A draft that only happens to be in sight is not sent.
      if (!id.startsWith('vscode.implicit')) {
        paths.add(value.path);
      }
    } else {
      parts.push(...(await attachmentParts(hub, reference, signal, report)));
    }
  }
  const messages: LanguageModelChatMessage[] = [];
  for (const path of paths) {
    const stored = drafts.get(path);
    if (stored) {
      const drafted = fromDocument(stored.draft, stored.text);
      messages.push(...(await Promise.all(drafted.map((message) => toChatMessage(hub, stored.draft, message)))));
    } else {
      const gone = 'The attached prompt is gone since the window was reloaded. Say so.';
      messages.push(LanguageModelChatMessage.User(gone));
    }
  }
  const attached = [...paths].flatMap((path) => drafts.get(path)?.draft ?? []);
  const own = withoutTitle(prompt, attached);
  if (own !== '') {
    parts.push(new LanguageModelTextPart(own));
  }
  return parts.length > 0 ? [...messages, LanguageModelChatMessage.User(parts)] : messages;
}

async function toChatMessage(
  hub: Hub,
  { key }: PromptDraft,
  { role, content }: PromptMessage,
): Promise<LanguageModelChatMessage> {
  const parts = await toContentParts(hub, { content: [content] } as Parameters<typeof toContentParts>[1]);
  const { type } = content;
  if (type === 'resource' || type === 'resource_link') {
    parts.unshift(new LanguageModelTextPart(`From the server "${key}":`));
  }
  return role === 'assistant' ? LanguageModelChatMessage.Assistant(parts) : LanguageModelChatMessage.User(parts);
}
