import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { parseInSlices } from '../../base/slicedJson';
import { depthBound } from './withinDepth';

/** What one line of stdout holds: messages, and text that is none. */
export interface LineContent {
  readonly messages: readonly JSONRPCMessage[];
  /** Text in front of, between or behind the messages; empty for a clean line. */
  readonly stray: string;
}

const MOST_ATTEMPTS = 16;
const LONGEST_REPAIR = 1_000_000;
const STRAY_SHOWN = 1_000;

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller treats it as text.
    return undefined;
  }
}

/** The index behind the object that opens at `start`; -1 where it never closes. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (quoted) {
      if (char === '\\') {
        index += 1;
      } else if (char === '"') {
        quoted = false;
      }
    } else if (char === '"') {
      quoted = true;
    } else if (char === '{') {
      depth += 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth === 0) {
        return index + 1;
      }
    }
  }
  return -1;
}

/** Picks the messages out of a line that has other text glued to them. */
function repair(line: string): LineContent {
  const messages: JSONRPCMessage[] = [];
  let stray = '';
  let done = 0;
  let from = 0;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const start = line.indexOf('{', from);
    const end = start < 0 ? -1 : objectEnd(line, start);
    const value = end < 0 ? undefined : parse(line.slice(start, end));
    if (isMessage(value)) {
      messages.push(value);
      stray += line.slice(done, start);
      done = end;
      from = end;
    } else if (start < 0) {
      break;
    } else {
      from = start + 1;
    }
  }
  return { messages, stray: (stray + line.slice(done)).trim() };
}

/** What a parsed value holds; an array is a batch, which 2025-03-26 allows. Nothing where it holds no message. */
function messagesOf(value: unknown): readonly JSONRPCMessage[] | undefined {
  if (isMessage(value)) {
    return [value];
  }
  return Array.isArray(value) && value.length > 0 && value.every(isMessage) ? value : undefined;
}

/** Reads one line. */
export function readMessages(line: string): LineContent {
  const messages = messagesOf(parse(line));
  if (messages) {
    return { messages, stray: '' };
  }
  return line.length > LONGEST_REPAIR || !line.includes('"jsonrpc"')
    ? { messages: [], stray: line.trim() }
    : repair(line);
}

/** Reads a long line while everything else goes on. */
export async function readLongLine(line: Buffer): Promise<LineContent> {
  try {
    const messages = messagesOf(await parseInSlices(line, depthBound));
    if (messages) {
      return { messages, stray: '' };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
  }
  return line.length > LONGEST_REPAIR
    ? { messages: [], stray: line.toString('utf8', 0, STRAY_SHOWN).trim() }
    : readMessages(line.toString('utf8'));
}
