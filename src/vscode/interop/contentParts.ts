import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { LanguageModelDataPart, LanguageModelTextPart } from 'vscode';
import type { Hub } from '../../core/hubTypes';
import type { ModelPart } from '../../core/policy/policyTypes';

export type ContentPart = LanguageModelTextPart | LanguageModelDataPart;

const nothing = 'The tool gave no output.';

/** A tool's result in the editor's parts for models; an error is said to be one, and silence too. */
export async function toContentParts(hub: Pick<Hub, 'modelParts'>, result: CallToolResult): Promise<ContentPart[]> {
  const parts = (await hub.modelParts(result)).map(toContentPart);
  return parts.length > 0 ? parts : [new LanguageModelTextPart(nothing)];
}

/** The contents of a resource, in the parts that an embedded resource of a tool's result becomes. */
export async function resourceParts(hub: Pick<Hub, 'modelParts'>, result: ReadResourceResult): Promise<ContentPart[]> {
  const content = result.contents.map((resource) => ({ type: 'resource' as const, resource }));
  return content.length > 0 ? toContentParts(hub, { content }) : [new LanguageModelTextPart('The resource is empty.')];
}

/** Text for a later turn: what was not text is named, and at most `max` characters stay. */
export function toPlainText(parts: readonly ContentPart[], max: number): string {
  const text = parts
    .map((part) => (part instanceof LanguageModelTextPart ? part.value : `[${part.mimeType}, not kept]`))
    .join('\n');
  return text.length > max ? `${text.slice(0, max)}\n[cut: ${text.length - max} more characters]` : text;
}

function toContentPart(part: ModelPart): ContentPart {
  switch (part.kind) {
    case 'text':
      return new LanguageModelTextPart(part.text);
    case 'image':
      return LanguageModelDataPart.image(Buffer.from(part.base64, 'base64'), part.mimeType);
    case 'data':
      return new LanguageModelDataPart(Buffer.from(part.base64, 'base64'), part.mimeType);
  }
}
