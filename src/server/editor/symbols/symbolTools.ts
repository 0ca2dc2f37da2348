import type { EditorParts } from '../editorParts';
import type { EditorTool } from '../offerTypes';
import { oneLine } from '../oneLine';
import { answer, argument, defineTool, listOf, objectSchema, spanProperties, spanRequired, word } from '../toolSchemas';
import type { ResultPage } from '../resultPages';
import { fuzzyComplete } from '../completions';
import { type SymbolItem, symbolsOf, workspaceSymbols } from './symbolList';

const text = { type: 'string' } as const;
const defaultLimit = 150;

const symbolsSchema = objectSchema(
  {
    total: { type: 'integer' },
    items: listOf(
      objectSchema(
        {
          name: text,
          kind: text,
          detail: text,
          file: text,
          uri: text,
          ...spanProperties,
          startLine: { type: 'integer', description: 'First line of the whole symbol.' },
          lastLine: { type: 'integer', description: 'Last line of the whole symbol.' },
        },
        ['name', 'kind', 'file', 'uri', ...spanRequired, 'startLine', 'lastLine'],
      ),
    ),
    nextCursor: text,
  },
  ['total', 'items'],
);

const limit = { type: 'integer', minimum: 1, maximum: 500, description: 'Symbols per answer. Default 150.' } as const;
const asTheyAre = async (items: readonly SymbolItem[]): Promise<readonly SymbolItem[]> => items;

interface DocumentArgs {
  readonly file?: string;
  readonly workspace?: string;
  readonly query?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function documentSymbolsTool(parts: EditorParts): EditorTool {
  return defineTool<DocumentArgs>({
    name: 'document_symbols',
    title: 'Symbols of a file',
    description: 'Functions, classes, variables of a file with their places, as its language extension sees them.',
    group: 'read',
    input: {
      file: argument.file,
      workspace: argument.workspace,
      query: { ...word, description: 'Only symbols whose names have these letters, the best first.' },
      limit,
      cursor: argument.cursor,
    },
    required: ['file'],
    output: symbolsSchema,
    async run({ file, workspace, query, limit: perPage = defaultLimit, cursor }, { client }) {
      if (cursor !== undefined) {
        return present(await parts.pages.next<SymbolItem, object>(client, 'document_symbols', cursor, asTheyAre));
      }
      const all = await symbolsOf(parts, await parts.files.find(file ?? '', workspace));
      const items = query === undefined ? all : matching(query, all);
      return present(await parts.pages.first(client, 'document_symbols', {}, items, perPage, asTheyAre));
    },
  });
}

interface WorkspaceArgs {
  readonly query: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function workspaceSymbolsTool(parts: EditorParts): EditorTool {
  return defineTool<WorkspaceArgs>({
    name: 'workspace_symbols',
    title: 'Find symbols',
    description: 'Symbols of the whole workspace by their names, as far as language extensions know them.',
    group: 'read',
    input: { query: { ...word, minLength: 1 }, limit, cursor: argument.cursor },
    required: ['query'],
    output: symbolsSchema,
    async run({ query, limit: perPage = defaultLimit, cursor }, { client }) {
      return present(
        cursor === undefined
          ? await parts.pages.first(
              client,
              'workspace_symbols',
              {},
              await workspaceSymbols(parts, query),
              perPage,
              asTheyAre,
            )
          : await parts.pages.next<SymbolItem, object>(client, 'workspace_symbols', cursor, asTheyAre),
      );
    },
  });
}

function matching(query: string, items: readonly SymbolItem[]): readonly SymbolItem[] {
  const order = fuzzyComplete(query, [...new Set(items.map(({ name }) => name))]).values;
  return items
    .filter(({ name }) => order.includes(name))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name) || a.line - b.line);
}

function present({ items, total, nextCursor }: ResultPage<SymbolItem, object>) {
  const lines = items.map(({ file, line, column, kind, name }) => oneLine(`${file}:${line}:${column} ${kind} ${name}`));
  if (total === 0) {
    lines.push('No symbols.');
  }
  if (nextCursor !== undefined) {
    lines.push(`${items.length} of ${total} are listed; the rest follows with cursor ${nextCursor}.`);
  }
  return answer({ total, items, nextCursor }, lines.join('\n'));
}
