import { createScanner, type Node } from 'jsonc-parser';
import { propertiesOf } from './configText';

/** How a text is laid out. */
export interface Layout {
  readonly eol: string;
  readonly unit: string;
}

/** SyntaxKind of jsonc-parser, whose `const enum` cannot be read from here. */
const commaToken = 5;
const lineCommentToken = 12;
const blockCommentToken = 13;
const lineBreakToken = 14;
const blankToken = 15;

export function layoutOf(text: string): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^([ \t]+)["}/]/m.exec(text)?.[1] ?? '  ';
  return { eol, unit: unit.startsWith('\t') ? '\t' : unit };
}

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** A value's text below a line with the given indentation. */
export function printValue(value: unknown, indent: string, { eol, unit }: Layout): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`);
}

/** Adds a property behind the others of an object and their comments; an object on a single line stays on it. */
export function insertProperty(
  text: string,
  object: Node,
  key: string,
  print: (indent: string) => string,
  layout: Layout,
): string {
  const close = object.offset + object.length - 1;
  const last = propertiesOf(object).at(-1);
  const begin = last === undefined ? object.offset + 1 : endOf(last);
  const { comma, end } = readTrivia(text, begin, close);
  const separator = last !== undefined && comma === undefined ? ',' : '';
  const trailing = last !== undefined && comma !== undefined ? ',' : '';
  const head = `${text.slice(0, begin)}${separator}${text.slice(begin, end)}`;
  const name = `${JSON.stringify(key)}: `;
  // A line comment would swallow what follows it, so a value that may hold one goes on lines of its own.
  const isInline = last !== undefined && !text.slice(object.offset, close).includes('\n') && !print('').includes('//');
  if (isInline) {
    return `${head} ${name}${compact(print(''))}${trailing}${text.slice(end)}`;
  }
  const outer = indentAt(text, object.offset);
  const indent = last === undefined ? outer + layout.unit : indentAt(text, last.offset);
  const blank = text.slice(end, close);
  const tail = blank.includes('\n') ? blank : `${layout.eol}${outer}`;
  return `${head}${layout.eol}${indent}${name}${print(indent)}${trailing}${tail}${text.slice(close)}`;
}

/** Takes a property away with the comments directly above it and behind it on its line. */
export function removeProperty(text: string, object: Node, property: Node): string {
  const siblings = propertiesOf(object);
  const index = siblings.indexOf(property);
  const before = siblings[index - 1];
  const next = siblings[index + 1];
  const previousEnd = before === undefined ? object.offset + 1 : endOf(before);
  const close = object.offset + object.length - 1;
  const ahead = readTrivia(text, previousEnd, property.offset);
  const behind = readTrivia(text, endOf(property), next?.offset ?? close);
  const hasLine = ahead.lineEnd !== undefined;
  const inlineStart = next === undefined ? (ahead.comma ?? previousEnd - 1) + 1 : property.offset;
  const start = hasLine ? ownLines(text, ahead.lineEnd ?? 0, property.offset) : inlineStart;
  const end = behind.lineEnd !== undefined && hasLine ? behind.lineEnd : behind.inlineEnd;
  let result = splice(text, start, end, '');
  if (next === undefined && behind.comma === undefined && ahead.comma !== undefined) {
    result = splice(result, ahead.comma, ahead.comma + 1, '');
  }
  const inside = result.slice(object.offset + 1, result.length - (text.length - close));
  return inside.trim() === '' ? splice(result, object.offset + 1, object.offset + 1 + inside.length, '') : result;
}

/** Lines of a value moved from one place and layout to another. */
export function reindent(text: string, from: string, fromUnit: string, indent: string, { eol, unit }: Layout): string {
  return text
    .split(/\r?\n/)
    .map((line, index) => {
      if (index === 0 || line === '') {
        return line;
      }
      const inner = line.startsWith(from) ? line.slice(from.length) : line.trimStart();
      const blank = /^[ \t]*/.exec(inner)?.[0] ?? '';
      const levels = Math.floor(blank.length / fromUnit.length);
      return indent + unit.repeat(levels) + inner.slice(levels * fromUnit.length);
    })
    .join(eol);
}

export function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

interface Trivia {
  /** Offset of the comma. */
  readonly comma: number | undefined;
  /** Behind the first line break, where the next line begins. */
  readonly lineEnd: number | undefined;
  /** Behind the comma and the blanks on the same line. */
  readonly inlineEnd: number;
  /** Behind the last comment or comma. */
  readonly end: number;
}

function readTrivia(text: string, from: number, to: number): Trivia {
  const scanner = createScanner(text.slice(0, to), false);
  scanner.setPosition(from);
  let comma: number | undefined;
  let lineEnd: number | undefined;
  let end = from;
  let inlineEnd = from;
  for (let kind: number = scanner.scan(); scanner.getTokenOffset() < to; kind = scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const after = offset + scanner.getTokenLength();
    if (kind === lineBreakToken) {
      lineEnd ??= after;
    } else if (kind === blankToken) {
      inlineEnd = inlineEnd === offset && comma !== undefined ? after : inlineEnd;
    } else {
      comma ??= kind === commaToken ? offset : undefined;
      const isComment = kind === lineCommentToken || kind === blockCommentToken;
      if (isComment || kind === commaToken) {
        end = after;
        inlineEnd = kind === commaToken && lineEnd === undefined ? after : inlineEnd;
      }
    }
  }
  return { comma, lineEnd, inlineEnd, end };
}

/** The start of the lines that belong to a property: those above it up to an empty one. */
function ownLines(text: string, from: number, offset: number): number {
  const gap = /^[^]*\n[ \t]*\r?\n/.exec(`\n${text.slice(from, offset)}`);
  return gap === null ? from : from + gap[0].length - 1;
}

function endOf(property: Node): number {
  return property.offset + property.length;
}

function compact(text: string): string {
  return text.replace(/\s*\r?\n\s*/g, ' ');
}
