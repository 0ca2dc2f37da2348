import type { CallToolResult, ContentBlock, Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import { longest } from './inputLimits';
import type { EditorTool, OfferContext } from './offerTypes';

type Schema = Readonly<Record<string, unknown>>;

/** Arguments that many tools have. */
export const argument = {
  file: {
    type: 'string',
    minLength: 1,
    maxLength: longest.address,
    description: 'Path below the workspace folder, absolute path, or file URI.',
  },
  workspace: {
    type: 'string',
    maxLength: longest.address,
    description: 'Name, path or URI of the workspace folder; only needed where a path fits several.',
  },
  line: { type: 'integer', minimum: 1, description: 'Counts from 1.' },
  column: { type: 'integer', minimum: 1, description: 'Counts from 1, in UTF-16 units.' },
  cursor: {
    type: 'string',
    maxLength: longest.cursor,
    description: 'nextCursor of the answer before, to get what follows it.',
  },
} as const;

/** A name, handle, kind, or time: nobody has longer ones. */
export const word = { type: 'string', maxLength: longest.word } as const;

/** A file, and a place or range in it. */
export const rangeArguments = {
  file: argument.file,
  workspace: argument.workspace,
  line: argument.line,
  column: argument.column,
  endLine: argument.line,
  endColumn: argument.column,
} as const;

const position = { type: 'integer', minimum: 1 } as const;

/** One-based; `endColumn` is exclusive. */
export const spanProperties = { line: position, column: position, endLine: position, endColumn: position } as const;
export const spanRequired = ['line', 'column', 'endLine', 'endColumn'] as const;

export function objectSchema(properties: Schema, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export interface ToolOptions<Args> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly group: EditorTool['group'];
  readonly input: Schema;
  readonly required?: readonly (keyof Args & string)[];
  readonly output: Schema;
  /** What is left out is false. */
  readonly annotations?: Pick<ToolAnnotations, 'destructiveHint' | 'idempotentHint'>;
  run(args: Args, context: OfferContext): Promise<CallToolResult>;
}

/** A tool whose arguments have the shape that its schema says. */
export function defineTool<Args>(options: ToolOptions<Args>): EditorTool {
  const { name, title, description, group, input, required = [], output } = options;
  const definition: Tool = {
    name,
    title,
    description,
    inputSchema: { ...objectSchema(input, required), type: 'object', additionalProperties: false },
    outputSchema: { ...output, type: 'object' },
    annotations: {
      title,
      readOnlyHint: group === 'read',
      destructiveHint: false,
      idempotentHint: group === 'read',
      openWorldHint: false,
      ...options.annotations,
    },
  };
  return { definition, group, run: (args, context) => options.run(args as Args, context) };
}

/** A result for both kinds of readers: structured, and short text that says the same. */
export function answer(structured: object, text: string, more: readonly ContentBlock[] = []): CallToolResult {
  return {
    content: [{ type: 'text', text }, ...more],
    structuredContent: Object.fromEntries(Object.entries(structured).filter(([, value]) => value !== undefined)),
  };
}
