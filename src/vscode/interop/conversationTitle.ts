import type { PromptDraft } from './promptDrafts';
import { plainLine } from './text';

/**
 * What names the conversation that a draft begins: the editor takes a title from the text in the box alone. It is not sent to
 * the model. The server's words must name nobody and nothing else there.
 */
export function conversationTitle({ title }: PromptDraft): string {
  return plainLine(title.replaceAll(/[@#/]/g, ' '), 60).trim();
}

/** What the person wrote themselves behind, or instead of, the titles of what they attached. */
export function withoutTitle(text: string, drafts: readonly PromptDraft[]): string {
  const title = drafts
    .map(conversationTitle)
    .find((one) => one !== '' && text.startsWith(one) && !/^\S/.test(text.slice(one.length)));
  return title === undefined ? text : text.slice(title.length).trim();
}
