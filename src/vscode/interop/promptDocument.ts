import { isObject, type JsonObject } from '../../base/jsonObject';
import { counted, plainLine } from './text';

export type PromptRole = 'user' | 'assistant';

/** One message of a prompt; its content is whatever the server sent, one of the kinds of the spec or another. */
export interface PromptMessage {
  readonly role: PromptRole;
  readonly content: JsonObject;
}

export interface PromptSource {
  /** The server's config key. */
  readonly key: string;
  readonly title: string;
  readonly messages: readonly PromptMessage[];
  /** Where the content of each message can be looked at, where it is no text. */
  readonly links: readonly (string | undefined)[];
  /** A word that no text of the messages has: only lines that bear it are borders. */
  readonly nonce: string;
}

/** Reads the messages of `prompts/get`; nobody vouches for their shape, so that what is odd is kept as unknown content. */
export function readMessages(result: unknown): readonly PromptMessage[] {
  const messages = isObject(result) ? result['messages'] : undefined;
  return (Array.isArray(messages) ? (messages as readonly unknown[]) : []).flatMap((message) => {
    const { role, content }: JsonObject = isObject(message) ? message : { content: message };
    const contents: readonly unknown[] = Array.isArray(content) ? content : [content];
    return contents.map((one) => ({ role: role === 'assistant' ? 'assistant' : 'user', content: readContent(one) }));
  });
}

/** A nonce that stands in none of the texts; `random` gives lower case letters and digits, of that many bytes. */
export function newNonce(texts: unknown, random: (bytes: number) => string): string {
  const all = JSON.stringify(texts);
  // Short to read; no text holds all of the longer ones.
  for (let bytes = 2; ; bytes += 1) {
    const nonce = random(bytes);
    if (!all.includes(nonce)) {
      return nonce;
    }
  }
}

/** The prompt as Markdown that a person reads and edits before they send it: a heading for each message. */
export function toDocument(source: PromptSource): string {
  const { nonce, key, title, messages } = source;
  const from = plainLine(`${title}, from ${key}`, 160).replaceAll('--', '- -');
  const intro = `<!-- ${nonce}: ${from}. What you change or delete is sent that way; lines with this word mark the messages. -->`;
  const sections = messages.map(({ role }, index) => `${heading(role, nonce, index)}\n${body(source, index)}`);
  return [intro, ...sections].join('\n\n') + '\n';
}

/** What a document says after it was edited. What was left alone is exactly what the server sent. */
export function fromDocument(source: PromptSource, text: string): readonly PromptMessage[] {
  const { nonce } = source;
  const intro = `<!-- ${nonce}: `;
  const border = new RegExp(`^#\\s*(User|Assistant)\\s*<!-- ${nonce} (\\d+) -->\\s*$`, 'i');
  const messages: PromptMessage[] = [];
  let role: PromptRole = 'user';
  let index: number | undefined;
  let lines: string[] = [];
  const close = (): void => {
    messages.push(...readSection(source, role, index, lines));
    lines = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const found = border.exec(line);
    if (found) {
      close();
      role = found[1]?.toLowerCase() === 'assistant' ? 'assistant' : 'user';
      index = Number(found[2]);
    } else if (!line.startsWith(intro)) {
      lines.push(line);
    }
  }
  close();
  return messages;
}

/** Where a line shows the link of a part: from, to, and the part's place; nothing where it shows none. */
export function partLink(
  { nonce }: PromptSource,
  line: string,
): { readonly start: number; readonly end: number; readonly index: number } | undefined {
  const found = new RegExp(`\\]\\((\\S+)\\) <!-- ${nonce} part (\\d+) -->\\s*$`).exec(line);
  const start = (found?.index ?? 0) + 2;
  return found ? { start, end: start + (found[1]?.length ?? 0), index: Number(found[2]) } : undefined;
}

/** What a content is to a person, in a few words: `image/png, 12 KB`. */
export function contentLabel(content: JsonObject): string {
  const resource = isObject(content['resource']) ? content['resource'] : {};
  const mimeType = (of: JsonObject): string => text(of['mimeType']);
  switch (content['type']) {
    case 'image':
    case 'audio':
      return words(String(content['type']), mimeType(content), dataSize(content['data']));
    case 'resource':
      return typeof resource['text'] === 'string'
        ? words('resource', text(resource['uri']), mimeType(resource), counted(resource['text'].length, 'character'))
        : words('resource', text(resource['uri']), mimeType(resource), dataSize(resource['blob']));
    case 'resource_link':
      return words('resource', text(content['uri']), mimeType(content), 'read when it is sent');
    default:
      return words('unknown content', text(content['type']), counted(JSON.stringify(content).length, 'character'));
  }
}

/** The text of a text content. */
export function textOf(content: JsonObject): string | undefined {
  return content['type'] === 'text' && typeof content['text'] === 'string' ? content['text'] : undefined;
}

function readContent(content: unknown): JsonObject {
  if (typeof content === 'string') {
    return { type: 'text', text: content };
  }
  return isObject(content) ? content : { type: 'unknown', value: content };
}

/** The messages between two borders: one, unless text was written around a part that is none. */
function readSection(
  source: PromptSource,
  role: PromptRole,
  index: number | undefined,
  lines: readonly string[],
): PromptMessage[] {
  const original = index === undefined ? undefined : source.messages[index];
  const now = trimLines(lines);
  if (index !== undefined && original && now === trimLines(body(source, index).split('\n'))) {
    return [{ role, content: original.content }];
  }
  const part = new RegExp(`<!-- ${source.nonce} part (\\d+) -->\\s*$`);
  const messages: PromptMessage[] = [];
  let written: string[] = [];
  const closeText = (): void => {
    const said = trimLines(written);
    if (said !== '') {
      messages.push({ role, content: { type: 'text', text: said } });
    }
    written = [];
  };
  for (const line of lines) {
    const found = part.exec(line);
    const message = found ? source.messages[Number(found[1])] : undefined;
    if (message) {
      closeText();
      messages.push({ role, content: message.content });
    } else {
      written.push(line);
    }
  }
  closeText();
  return messages;
}

function heading(role: PromptRole, nonce: string, index: number): string {
  return `# ${role === 'user' ? 'User' : 'Assistant'} <!-- ${nonce} ${index} -->`;
}

function body({ messages, links, nonce }: PromptSource, index: number): string {
  const content = messages[index]?.content ?? {};
  const said = textOf(content);
  if (said !== undefined) {
    // The editor has one kind of line break in a document, and only characters that UTF-8 has.
    return `\n${Buffer.from(said).toString().replace(/\r\n?/g, '\n')}`;
  }
  const label = plainLine(contentLabel(content), 200).replace(/[[\]\\<>]/g, ' ');
  const link = links[index];
  return `\n${link === undefined ? `[${label}]` : `[${label}](${link})`} <!-- ${nonce} part ${index} -->`;
}

/** Lines without the empty ones around them. */
function trimLines(lines: readonly string[]): string {
  const isEmpty = (line: string): boolean => line === '';
  const first = lines.findIndex((line) => !isEmpty(line));
  const last = lines.findLastIndex((line) => !isEmpty(line));
  return first < 0 ? '' : lines.slice(first, last + 1).join('\n');
}

function dataSize(base64: unknown): string {
  return typeof base64 === 'string' ? `${Math.ceil((base64.length * 3) / 4 / 1024)} KB` : 'without data';
}

function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
