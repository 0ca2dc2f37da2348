import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigPlace } from './configTypes';

/** A syntax fault: where, and what is wrong as the middle of a sentence. */
export interface SyntaxFault {
  readonly offset: number;
  readonly length: number;
  readonly what: string;
}

/** A config file's text as a tree; what stands around a syntax fault is recovered as far as it can be. */
export interface ConfigText {
  readonly text: string;
  readonly root: Node | undefined;
  readonly faults: readonly SyntaxFault[];
}

const byteOrderMark = '\uFEFF';
/** Levels of objects and lists: more than anybody writes, and less than the parser's recursion takes. */
const maxDepth = 200;
/** By SyntaxKind of jsonc-parser, whose `const enum` cannot be read from here: what braces and brackets do to the depth. */
const steps = [0, 1, -1, 1, -1];
const endToken = 17;

/** Parses JSON with comments and trailing commas. Offsets count from behind a byte order mark, as the editor counts. */
export function parseConfigText(raw: string): ConfigText {
  const text = raw.startsWith(byteOrderMark) ? raw.slice(1) : raw;
  const tooDeep = placeTooDeep(text);
  if (tooDeep !== undefined) {
    const what = `objects and lists are nested more than ${maxDepth} levels deep`;
    return { text, root: undefined, faults: [{ offset: tooDeep, length: 1, what }] };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return {
    text,
    root,
    faults: errors.map((error) => ({ offset: error.offset, length: error.length, what: describe(error) })),
  };
}

/** Where a text is nested so deeply that following it would end the program; nothing in any other. */
function placeTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number; depth <= maxDepth; depth += steps[token] ?? 0) {
    token = scanner.scan();
    if (token === endToken) {
      return undefined;
    }
  }
  return scanner.getTokenOffset();
}

/** A node's plain value; objects have no prototype, so that a key like `__proto__` is a key like any other. */
export function valueOf(node: Node | undefined): unknown {
  return node === undefined ? undefined : getNodeValue(node);
}

/** The property with this key, the last one where it is written twice, as it is with JSON itself. */
export function propertyOf(node: Node | undefined, key: string): Node | undefined {
  return propertiesOf(node).findLast((property) => property.children?.[0]?.value === key);
}

/** The value at a path of keys and indexes. */
export function nodeAt(node: Node | undefined, path: readonly (string | number)[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (at, part) => (typeof part === 'number' ? at?.children?.[part] : propertyOf(at, part)?.children?.[1]),
    node,
  );
}

export function propertiesOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'object' ? (node.children ?? []) : [];
}

export function placeAt(
  text: string,
  file: string,
  at: { readonly offset: number; readonly length: number },
): ConfigPlace {
  let line = 0;
  for (let index = text.indexOf('\n'); index >= 0 && index < at.offset; index = text.indexOf('\n', index + 1)) {
    line += 1;
  }
  return { file, line, offset: at.offset, length: at.length };
}

function describe(error: ParseError): string {
  switch (printParseErrorCode(error.error)) {
    case 'CommaExpected':
      return 'a comma is missing';
    case 'ColonExpected':
      return 'a colon is missing after a name';
    case 'PropertyNameExpected':
      return 'a name in double quotes is expected';
    case 'ValueExpected':
      return 'a value is missing';
    case 'CloseBraceExpected':
      return 'a closing brace } is missing';
    case 'CloseBracketExpected':
      return 'a closing bracket ] is missing';
    case 'UnexpectedEndOfString':
      return 'a text is not closed by a double quote';
    case 'UnexpectedEndOfComment':
      return 'a comment is not closed';
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return 'a backslash is followed by a character that JSON does not know; a backslash itself is written twice';
    case 'InvalidCharacter':
      return 'a text holds a control character';
    case 'EndOfFileExpected':
      return 'something stands after the end of the file';
    default:
      return 'something stands here that JSON does not know';
  }
}
