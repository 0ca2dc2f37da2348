import type { EditorParts } from '../editorParts';
import type { EditorLocation, LanguagePort } from '../editorTypes';
import type { EditorTool } from '../offerTypes';
import { oneLine } from '../oneLine';
import { type Span, spanOf } from '../positions';
import type { ResultPage } from '../resultPages';
import { SourceLines } from '../sourceLines';
import { answer, argument, defineTool, listOf, objectSchema, spanProperties, spanRequired, word } from '../toolSchemas';
import { type Located, locate, type SymbolArgs } from './locate';

const text = { type: 'string' } as const;
const defaultLimit = 100;

/** A place that an extension names; `external`: outside the workspace, so its text is not given. */
interface LocationItem extends Span {
  readonly file: string;
  readonly uri: string;
  readonly external?: true;
  readonly sourceLine?: string;
}

export const symbolArguments = {
  file: argument.file,
  workspace: argument.workspace,
  line: argument.line,
  column: argument.column,
  name: { ...word, minLength: 1, description: 'Instead of a place: the name, such as "open" or "Shop.open".' },
} as const;

/** What a call was about, by which a wrong count is seen. */
export const locatedSchema = objectSchema({
  file: text,
  line: { type: 'integer' },
  column: { type: 'integer' },
  token: text,
  sourceLine: text,
});

export function locatedView({ file, at, token, sourceLine }: Located): object {
  return { file: file.label, line: at.line + 1, column: at.character + 1, token, sourceLine };
}

const locationsSchema = objectSchema(
  {
    symbol: locatedSchema,
    total: { type: 'integer' },
    items: listOf(
      objectSchema({ file: text, uri: text, ...spanProperties, external: { type: 'boolean' }, sourceLine: text }, [
        'file',
        'uri',
        ...spanRequired,
      ]),
    ),
    nextCursor: text,
  },
  ['symbol', 'total', 'items'],
);

type Args = SymbolArgs & { readonly limit?: number; readonly cursor?: string };

export function locationTools(parts: EditorParts): readonly EditorTool[] {
  return [
    locationTool(parts, 'definition', 'Go to definition', 'Where a symbol is defined.'),
    locationTool(parts, 'references', 'Find references', 'Everywhere a symbol is used.'),
    locationTool(parts, 'implementations', 'Find implementations', 'What implements a type or method.'),
    hoverTool(parts),
  ];
}

function locationTool(
  parts: EditorParts,
  name: 'definition' | 'references' | 'implementations',
  title: string,
  what: string,
): EditorTool {
  const dress = async (items: readonly LocationItem[]): Promise<readonly LocationItem[]> => {
    const lines = new SourceLines(parts.files);
    return Promise.all(
      items.map(async (item) => {
        const { text: sourceLine } = item.external ? {} : await lines.at(item.uri, item.line);
        return { ...item, ...(sourceLine === undefined ? {} : { sourceLine }) };
      }),
    );
  };
  return defineTool<Args>({
    name,
    title,
    description: `${what} Of the symbol at a place, or by its name. Places outside the workspace are marked external.`,
    group: 'read',
    input: {
      ...symbolArguments,
      limit: { type: 'integer', minimum: 1, maximum: 500, description: 'Places per answer. Default 100.' },
      cursor: argument.cursor,
    },
    output: locationsSchema,
    async run({ limit = defaultLimit, cursor, ...args }, { client }) {
      if (cursor !== undefined) {
        return present(await parts.pages.next<LocationItem, { readonly symbol: object }>(client, name, cursor, dress));
      }
      const located = await locate(parts, args);
      const find: LanguagePort['definition'] = (uri, at) => parts.ports.language[name](uri, at);
      const items = await locationItems(parts, await find(located.document.uri, located.at));
      return present(await parts.pages.first(client, name, { symbol: locatedView(located) }, items, limit, dress));
    },
  });
}

async function locationItems(
  { files }: EditorParts,
  locations: readonly EditorLocation[],
): Promise<readonly LocationItem[]> {
  const items = await Promise.all(
    locations.map(async ({ uri, range }): Promise<LocationItem> => {
      const file = await files.passing(uri);
      return file === undefined
        ? { file: uri, uri, ...spanOf(range), external: true }
        : { file: file.label, uri: file.uri, ...spanOf(range) };
    }),
  );
  const distinct = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  return distinct.sort(
    (a, b) =>
      Number(a.external ?? false) - Number(b.external ?? false) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column),
  );
}

function present({ head, items, total, nextCursor }: ResultPage<LocationItem, { readonly symbol: object }>) {
  const lines = items.map(({ file, line, column, external, sourceLine }) =>
    oneLine(`${file}:${line}:${column}${external ? ' (external)' : ''}${sourceLine ? ` ${sourceLine.trim()}` : ''}`),
  );
  if (total === 0) {
    lines.push('None is known.');
  }
  if (nextCursor !== undefined) {
    lines.push(`${items.length} of ${total} are listed; the rest follows with cursor ${nextCursor}.`);
  }
  return answer({ ...head, total, items, nextCursor }, lines.join('\n'));
}

/** Longer hovers are cut, in characters. */
const maxHover = 12_000;

function hoverTool(parts: EditorParts): EditorTool {
  return defineTool<SymbolArgs>({
    name: 'hover',
    title: 'What a symbol is',
    description: 'Type and documentation of a symbol at a place or by its name, as Markdown.',
    group: 'read',
    input: symbolArguments,
    output: objectSchema({ symbol: locatedSchema, markdown: text, cut: { type: 'boolean' } }, ['symbol', 'markdown']),
    async run(args) {
      const located = await locate(parts, args);
      const whole = (await parts.ports.language.hover(located.document.uri, located.at)).join('\n\n');
      const markdown = whole.slice(0, maxHover);
      return answer(
        { symbol: locatedView(located), markdown, ...(markdown === whole ? {} : { cut: true }) },
        markdown === '' ? `Nothing is known of ${located.token}.` : markdown,
      );
    },
  });
}
