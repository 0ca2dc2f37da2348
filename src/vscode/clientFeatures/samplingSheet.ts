import type { CreateMessageRequestParams, SamplingMessageContentBlock } from '@modelcontextprotocol/client';
import { isObject } from '../../base/jsonObject';
import { visibleJson } from '../../base/visibleJson';
import { blocksOf } from '../../core/clientFeatures/samplingMessages';
import { fencedBlock } from '../interop/markdown';
import { contentLabel } from '../interop/promptDocument';
import { counted, grouped, inert, plainLine, writtenOut } from '../interop/text';

type Block = SamplingMessageContentBlock;

/** What a modal dialog shows without a scroll bar. */
const mostInSight = { characters: 900, lines: 18 };

/** A part of a request or an answer as a person reads it; a text is theirs to edit, the others to keep or delete. */
export interface SheetPart {
  /** `system`, `tools`, or the places of message and content, `0.1`. */
  readonly id: string;
  /** The heading above it; absent where it goes on with the message before. */
  readonly heading?: string;
  readonly content: Block | { readonly type: 'tools'; readonly tools: readonly object[] };
}

/** What is left of a part; the text where it is another one now. */
interface Kept {
  readonly part: SheetPart;
  readonly text?: string;
}

/** More than any model writes in one answer, in tokens. */
const boundless = 1_000_000;

/** How much a model would read, and may write. */
export function requestSize(inputTokens: number, maxTokens: number): string {
  const answer = maxTokens > boundless ? 'as long as the model makes it' : `of at most ${grouped(maxTokens)}`;
  return `${counted(inputTokens, 'token')}, an answer ${answer}`;
}

/** The parts of a request: all that a model gets. */
export function requestParts({ systemPrompt, messages, tools }: CreateMessageRequestParams): readonly SheetPart[] {
  return [
    ...(systemPrompt === undefined ? [] : [{ id: 'system', heading: 'System', content: asText(systemPrompt) }]),
    ...messages.flatMap((message, at) =>
      blocksOf(message).map((content, place) => ({
        id: `${at}.${place}`,
        ...(place === 0 ? { heading: message.role === 'user' ? 'User' : 'Assistant' } : {}),
        content,
      })),
    ),
    ...(tools ? [{ id: 'tools', heading: 'Tools', content: { type: 'tools', tools } as const }] : []),
  ];
}

/** The parts of an answer. */
export function answerParts(content: readonly Block[]): readonly SheetPart[] {
  return content.map((block, place) => ({
    id: `0.${place}`,
    ...(place === 0 ? { heading: 'Assistant' } : {}),
    content: block,
  }));
}

/**
 * The parts as Markdown. Only lines with the nonce are borders; `links` are addresses where pictures and sounds can be
 * looked at, by the parts' places.
 */
export function toSheet(
  intro: string,
  parts: readonly SheetPart[],
  nonce: string,
  links: readonly (string | undefined)[],
): string {
  const sections = parts.map(({ id, heading, content }, index) => {
    const border = `${heading === undefined ? '' : `# ${heading} `}<!-- ${nonce} ${id} -->`;
    const link = links[index];
    const below = link === undefined ? body(content) : `[${label(content)}](${link}) <!-- ${nonce} part ${index} -->`;
    return `${border}\n\n${below}`;
  });
  const rest = 'What you change or delete is sent that way; lines with this word mark the parts. ✓ above goes on.';
  const first = plainLine(`${intro} ${rest}`, 400);
  return `${[`<!-- ${nonce}: ${first.replaceAll('--', '- -')} -->`, ...sections].join('\n\n')}\n`;
}

/** The parts as a modal dialog can show them to the end; nothing where they are too much for that. */
export function inSight(parts: readonly SheetPart[]): string | undefined {
  const lines = parts.flatMap(({ heading, content }) => {
    const text = shown(content)
      .split('\n')
      .map((line) => inert(writtenOut(line)));
    const [first = '', ...more] = text;
    const who = heading === undefined ? '' : `${heading}: `;
    return more.length === 0 ? [`${who}${first}`] : [who.trim(), ...text.map((line) => `    ${line}`)];
  });
  const whole = lines.join('\n');
  return whole.length <= mostInSight.characters && lines.length <= mostInSight.lines ? whole : undefined;
}

/** A request as its sheet says it now. */
export function editedRequest(
  params: CreateMessageRequestParams,
  text: string,
  nonce: string,
): CreateMessageRequestParams {
  const { systemPrompt, tools, toolChoice, messages, ...rest } = params;
  const kept = readSheet(requestParts(params), text, nonce);
  const system = kept.find(({ part }) => part.id === 'system');
  const withTools = kept.some(({ part }) => part.id === 'tools');
  return {
    ...rest,
    ...(system && { systemPrompt: system.text ?? systemPrompt }),
    messages: messages.flatMap(({ role }, at) => {
      const content = contents(kept.filter(({ part }) => part.id.startsWith(`${at}.`)));
      return content.length > 0 ? [{ role, content }] : [];
    }),
    ...(withTools && tools ? { tools, ...(toolChoice ? { toolChoice } : {}) } : {}),
  };
}

/** An answer as its sheet says it now. */
export function editedAnswer(content: readonly Block[], text: string, nonce: string): readonly Block[] {
  return contents(readSheet(answerParts(content), text, nonce));
}

function readSheet(parts: readonly SheetPart[], text: string, nonce: string): readonly Kept[] {
  const border = new RegExp(`^(?:#\\s*\\w+\\s*)?<!-- ${nonce} (\\S+) -->\\s*$`);
  const kept: Kept[] = [];
  let part: SheetPart | undefined;
  let lines: string[] = [];
  const close = (): void => {
    if (part) {
      kept.push(readPart(part, trimLines(lines)));
    }
    lines = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const id = border.exec(line)?.[1];
    if (id === undefined) {
      lines.push(line);
    } else {
      close();
      part = parts.find((one) => one.id === id);
    }
  }
  close();
  return kept.filter(({ text: now }) => now !== '');
}

function readPart(part: SheetPart, now: string): Kept {
  const { content } = part;
  // What was left alone is exactly what the server sent, whatever the editor does to line breaks.
  return content.type !== 'text' || now === trimLines(shown(content).split('\n')) ? { part } : { part, text: now };
}

function contents(kept: readonly Kept[]): Block[] {
  return kept.flatMap(({ part: { content }, text }) =>
    content.type === 'tools' ? [] : [text === undefined ? content : asText(text)],
  );
}

function body(content: SheetPart['content']): string {
  const isJson = content.type === 'tool_use' || content.type === 'tool_result' || content.type === 'tools';
  return isJson ? fencedBlock(shown(content), 'json') : shown(content);
}

function shown(content: SheetPart['content']): string {
  switch (content.type) {
    case 'text':
      // The editor has one kind of line break in a document, and only characters that UTF-8 has.
      return Buffer.from(content.text).toString().replace(/\r\n?/g, '\n');
    case 'image':
    case 'audio':
      return `[${label(content)}]`;
    default:
      return visibleJson(withoutData(content.type === 'tools' ? content.tools : content));
  }
}

function label(content: SheetPart['content']): string {
  return plainLine(contentLabel({ ...content }), 200).replace(/[[\]\\<>]/g, ' ');
}

/** Data of pictures that a tool gave, named in place of megabytes of letters. */
function withoutData(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutData);
  }
  if (!isObject(value)) {
    return value;
  }
  const isMedia = value['type'] === 'image' || value['type'] === 'audio';
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isMedia && name === 'data' ? contentLabel(value) : withoutData(one),
    ]),
  );
}

function asText(text: string): Block {
  return { type: 'text', text };
}

/** Lines without the empty ones around them. */
function trimLines(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first < 0 ? '' : lines.slice(first, last + 1).join('\n');
}
