import type { CallToolResult } from '@modelcontextprotocol/client';
import { shortText } from '../../base/plainText';
import { isBase64, sizeLabel, sniffImage } from './imageKind';
import type { ModelPart } from './policyTypes';

/** Larger images and data are named, not sent: 5 MB as base64, what models' APIs take at most. */
export const maxDataLength = 5 * 1_048_576;

/** Of a name, an address or a description; in characters. */
const maxLine = 2_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a model gets of a result: every known block in the best form there is, a labelled placeholder for the rest. Structured
 * content is added where no text says the same. Never throws; base64 never becomes text. An empty list means "no output".
 */
export function toModelParts(result: CallToolResult): readonly ModelPart[] {
  const blocks: unknown = result.content;
  const parts = (Array.isArray(blocks) ? blocks : []).map((block: unknown) => partOf(block));
  const { structuredContent } = result;
  if (
    structuredContent !== undefined &&
    !parts.some((part) => part.kind === 'text' && says(part.text, structuredContent))
  ) {
    parts.push(text(JSON.stringify(structuredContent)));
  }
  return result.isError ? [text('The tool reported an error:'), ...parts] : parts;
}

function partOf(block: unknown): ModelPart {
  if (typeof block !== 'object' || block === null) {
    return text(`[unreadable content: ${typeof block}]`);
  }
  const fields = block as Fields;
  switch (fields['type']) {
    case 'text':
      return text(stringOf(fields['text']));
    case 'image':
      return dataPart('image', fields['data'], stringOf(fields['mimeType']));
    case 'audio':
      return dataPart('audio', fields['data'], stringOf(fields['mimeType']));
    case 'resource_link':
      return text(linkText(fields));
    case 'resource':
      return resourcePart(fields['resource']);
    default:
      return text(`[content of the unknown type ${JSON.stringify(stringOf(fields['type']).slice(0, 80))} left out]`);
  }
}

function resourcePart(resource: unknown): ModelPart {
  if (typeof resource !== 'object' || resource === null) {
    return text('[resource without contents]');
  }
  const { uri, mimeType, text: body, blob } = resource as Fields;
  const label = lineOf(uri);
  const type = lineOf(mimeType);
  if (typeof body === 'string') {
    return text(`Resource ${label}${type === '' ? '' : ` (${type})`}:\n${body}`);
  }
  return dataPart(`resource ${label}`, blob, type);
}

function dataPart(what: string, data: unknown, said: string): ModelPart {
  const type = shortText(said, 80) || 'unknown type';
  if (typeof data !== 'string') {
    return text(`[${what} without data (${type})]`);
  }
  const base64 = /\s/.test(data) ? data.replace(/\s+/g, '') : data;
  const size = sizeLabel(base64.length);
  if (base64.length > maxDataLength) {
    return text(`[${what} left out: ${type}, ${size}, too large for a model]`);
  }
  if (!isBase64(base64)) {
    return text(`[${what} left out: ${type}, ${size}, not valid base64]`);
  }
  const image = sniffImage(base64);
  if (image) {
    return { kind: 'image', mimeType: image, base64 };
  }
  // What calls itself an image and is none that models take would cost the whole request.
  return what === 'image' || said.startsWith('image/')
    ? text(`[${what} left out: ${type}, ${size}, not an image that models take]`)
    : what === 'audio' && /^audio\/[\w.+-]+$/.test(said)
      ? { kind: 'data', mimeType: said, base64 }
      : text(`[${what}: ${type}, ${size} of binary data]`);
}

function linkText({ uri, name, title, description, mimeType }: Fields): string {
  const label = lineOf(title) || lineOf(name);
  const details = [lineOf(mimeType), lineOf(description)].filter((part) => part !== '').join(', ');
  return `Resource to read: ${[label, lineOf(uri)].filter((part) => part !== '').join(' ')}${details === '' ? '' : ` (${details})`}`;
}

function says(said: string, value: unknown): boolean {
  const trimmed = said.trimStart();
  if (trimmed[0] !== '{' && trimmed[0] !== '[') {
    return false;
  }
  try {
    return JSON.stringify(JSON.parse(said)) === JSON.stringify(value);
  } catch {
    // Text that only begins like JSON says something else.
    return false;
  }
}

/** As a line of ours may hold it, so that none of the server's reads like one. */
function lineOf(value: unknown): string {
  return shortText(stringOf(value), maxLine);
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function text(value: string): ModelPart {
  return { kind: 'text', text: value };
}
