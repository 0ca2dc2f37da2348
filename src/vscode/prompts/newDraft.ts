import { randomBytes } from 'node:crypto';
import { Uri } from 'vscode';
import type { Services } from '../interop/contribution';
import { documentAddress } from '../interop/documentAddress';
import { newNonce, type PromptMessage } from '../interop/promptDocument';
import type { PromptDraft } from '../interop/promptDrafts';
import { contentFile } from '../interop/contentFile';

/** A draft, with the contents that are no text kept as documents, so that they can be looked at and attached. */
export function newDraft(
  services: Services,
  source: Pick<PromptDraft, 'server' | 'key' | 'title' | 'messages'>,
): PromptDraft {
  const nonce = newNonce(source, (bytes) => randomBytes(bytes).toString('hex'));
  const links = source.messages.map((message, index) => linkOf(services, source.server, message, `${nonce}-${index}`));
  return { ...source, nonce, links };
}

function linkOf(services: Services, server: string, { content }: PromptMessage, folder: string): string | undefined {
  const { type, uri } = content;
  if (type === 'resource_link' && typeof uri === 'string') {
    return Uri.from(documentAddress(services, { server, uri })).toString();
  }
  const file = contentFile(content);
  return file && services.documents.put(`/documents/prompt-${folder}/${file.name}`, file.data).toString();
}
