import type { CallToolResult } from '@modelcontextprotocol/client';
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../base/jsonObject';
import { visibleJson } from '../../base/visibleJson';
import { noteKey } from '../../core/policy/policyTypes';
import { fromBase64 } from './base64';
import { documentName } from './documentName';
import { indentJson } from './indentJson';
import { codeSpan, escapeMarkdown, fencedBlock } from './markdown';
import { endingsOf, essence } from './mimeTypes';
import { toDocumentPath } from './resourceAddress';

export interface ResultFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** A result as files of one folder; the first is the one to show. */
export type ResultFiles = readonly [ResultFile, ...ResultFile[]];

/** Of what the result is: the tool's name, its server's key, and the id that its resources are read by. */
export interface ResultTitle {
  readonly tool: string;
  readonly server: string;
  readonly serverId: string;
}

/** A tool's result for reading: one text, picture or JSON as it is, anything else as a Markdown document about its parts. */
export function resultFiles(result: CallToolResult, title: ResultTitle): ResultFiles {
  const blocks: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const base = `${title.tool} · ${title.server}`;
  return (
    (result.isError === true ? undefined : alone(blocks, result.structuredContent, base)) ??
    composed(result, blocks, title)
  );
}

/** The one part that a result has, where it has one. */
function alone(blocks: readonly unknown[], structured: unknown, base: string): ResultFiles | undefined {
  const [only] = blocks;
  if (structured !== undefined) {
    const mirrored =
      blocks.length === 0 || (blocks.length === 1 && isDeepStrictEqual(parsed(textOf(only)), structured));
    return mirrored ? [{ name: `${base}.json`, content: JSON.stringify(structured, undefined, 2) }] : undefined;
  }
  if (blocks.length !== 1 || !isObject(only)) {
    return undefined;
  }
  const text = textOf(only);
  if (text !== undefined) {
    return text === '' ? undefined : [textFile(text, base)];
  }
  if (only['type'] === 'image') {
    const image = imageFile(only, base);
    return image && [image];
  }
  const resource = isObject(only['resource']) ? only['resource'] : {};
  return only['type'] === 'resource' && typeof resource['text'] === 'string'
    ? [{ name: `${base}.${resourceEnding(resource)}`, content: resource['text'] }]
    : undefined;
}

/** JSON in one line is given lines; not a character of its values changes. */
function textFile(text: string, base: string): ResultFile {
  const ending = guessEnding(text);
  return { name: `${base}.${ending}`, content: ending === 'json' && !text.includes('\n') ? indentJson(text) : text };
}

function composed(
  result: CallToolResult,
  blocks: readonly unknown[],
  { tool, server, serverId }: ResultTitle,
): ResultFiles {
  const files: ResultFile[] = [];
  const lines = [`# ${escapeMarkdown(tool)} · ${escapeMarkdown(server)}`];
  if (result.isError === true) {
    lines.push('**The tool reported an error.**');
  }
  if (blocks.length === 0 && result.structuredContent === undefined) {
    lines.push('_No output._');
  }
  blocks.forEach((block, index) => {
    if (isObject(block) && isObject(block['_meta']) && block['_meta'][noteKey] !== undefined) {
      lines.push(`> ${escapeMarkdown(textOf(block) ?? '', 1000)}`);
      return;
    }
    const number = blocks.length > 1 ? `${index + 1}. ` : '';
    lines.push(
      ...(isObject(block)
        ? section(number, block, { serverId, index: index + 1, files })
        : unknownContent(number, block)),
    );
  });
  if (result.structuredContent !== undefined) {
    lines.push('## Structured content', fencedBlock(JSON.stringify(result.structuredContent, undefined, 2), 'json'));
  }
  return [{ name: `${tool} · ${server}.md`, content: `${lines.join('\n\n')}\n` }, ...files];
}

interface Place {
  readonly serverId: string;
  /** Of the block in the result, from 1. */
  readonly index: number;
  /** Takes the files that the document names. */
  readonly files: ResultFile[];
}

function section(number: string, block: JsonObject, place: Place): string[] {
  const { serverId, index, files } = place;
  const mimeType = typeof block['mimeType'] === 'string' ? block['mimeType'] : undefined;
  switch (block['type']) {
    case 'text': {
      const text = textOf(block) ?? '';
      return [
        `## ${number}Text`,
        text === '' ? '_Empty._' : fencedBlock(text, guessEnding(text) === 'json' ? 'json' : ''),
      ];
    }
    case 'image': {
      const file = imageFile(block, `image-${index}`);
      return [`## ${number}Image`, file ? kept(file, mimeType, files) : unreadable(mimeType, block['data'])];
    }
    case 'audio': {
      const file = dataFile(block['data'], `audio-${index}.${mimeType === 'audio/mpeg' ? 'mp3' : 'wav'}`);
      return [`## ${number}Audio`, file ? kept(file, mimeType, files) : unreadable(mimeType, block['data'])];
    }
    case 'resource_link': {
      const { name, title, description } = block;
      const label = [title, name].find((text) => typeof text === 'string' && text.trim() !== '');
      const words = typeof description === 'string' ? [escapeMarkdown(description)] : [];
      return [`## ${number}Resource link`, ...linked(serverId, block, label), ...words];
    }
    case 'resource': {
      const resource = isObject(block['resource']) ? block['resource'] : {};
      return [`## ${number}Resource`, ...linked(serverId, resource), embedded(resource, place)];
    }
    default:
      return unknownContent(number, block, block['type']);
  }
}

/** What no revision of the protocol has, as it came. */
function unknownContent(number: string, block: unknown, type?: unknown): string[] {
  const name = typeof type === 'string' ? ` ${codeSpan(type)}` : '';
  return [`## ${number}Unknown content${name}`, fencedBlock(visibleJson(block).slice(0, 4000), 'json')];
}

/** A link to the document of a resource, and its URI as the server has it. */
function linked(serverId: string, resource: JsonObject, label?: unknown): string[] {
  const { uri, mimeType } = resource;
  if (typeof uri !== 'string') {
    return typeof label === 'string' ? [escapeMarkdown(label)] : [];
  }
  const name = documentName({ uri, mimeType: typeof mimeType === 'string' ? mimeType : undefined });
  // Relative: the preview follows no link of a scheme that it does not know.
  const target = `../..${toDocumentPath({ server: serverId, uri }, name).replace(/[^/]+/g, encodeURIComponent)}`;
  return [`[${escapeMarkdown(typeof label === 'string' ? label : name)}](<${target}>) · ${codeSpan(uri, 2_000)}`];
}

function embedded(resource: JsonObject, { index, files }: Place): string {
  const mimeType = typeof resource['mimeType'] === 'string' ? resource['mimeType'] : undefined;
  if (typeof resource['text'] === 'string') {
    return fencedBlock(resource['text'], resourceEnding(resource).replace('txt', ''));
  }
  const file = dataFile(resource['blob'], `resource-${index}.${endingsOf(mimeType)[0] ?? 'bin'}`);
  return file ? kept(file, mimeType, files) : unreadable(mimeType, resource['blob']);
}

function kept(file: ResultFile, mimeType: string | undefined, files: ResultFile[]): string {
  files.push(file);
  const size = `${Math.ceil(file.content.length / 1024)} KB`;
  const picture = mimeType?.startsWith('image/') ? '!' : '';
  return `${picture}[${file.name}](${file.name}) · ${codeSpan(mimeType ?? 'unknown type')} · ${size}`;
}

function unreadable(mimeType: string | undefined, data: unknown): string {
  const length = typeof data === 'string' ? data.length : 0;
  return `Cannot be shown: ${codeSpan(mimeType ?? 'unknown type')}, ${length} characters that are not base64.`;
}

function imageFile(block: JsonObject, base: string): ResultFile | undefined {
  const mimeType = typeof block['mimeType'] === 'string' ? block['mimeType'] : '';
  const ending = essence(mimeType).startsWith('image/') ? endingsOf(mimeType)[0] : undefined;
  return dataFile(block['data'], `${base}.${ending ?? 'png'}`);
}

function dataFile(data: unknown, name: string): ResultFile | undefined {
  const content = typeof data === 'string' && data !== '' ? fromBase64(data) : undefined;
  return content && { name, content };
}

function textOf(block: unknown): string | undefined {
  return isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? block['text'] : undefined;
}

function resourceEnding(resource: JsonObject): string {
  const { uri, mimeType, text } = resource;
  const ofUri = /\.([a-z0-9]{1,8})(?:[?#]|$)/i.exec(String(uri ?? ''))?.[1];
  const ofType = typeof mimeType === 'string' ? endingsOf(mimeType)[0] : undefined;
  return ofType ?? ofUri ?? guessEnding(String(text));
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    // Not every text is JSON; most are not.
    return undefined;
  }
}

/** The ending, and so the language, that a bare text asks for. */
function guessEnding(text: string): 'json' | 'md' | 'txt' {
  const start = text.trimStart();
  if (/^[[{]/.test(start) && parsed(text) !== undefined) {
    return 'json';
  }
  return /^(#{1,6} \S|```|[-*] \S.*\n[-*] )/m.test(text) ? 'md' : 'txt';
}
