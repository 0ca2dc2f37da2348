import type { CallToolResult } from '@modelcontextprotocol/server';
import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import { longest } from '../inputLimits';
import type { EditorTool } from '../offerTypes';
import { oneLine } from '../oneLine';
import { answer, argument, defineTool, listOf, objectSchema } from '../toolSchemas';
import { assertGlobs } from './agentGlobs';
import type { Asker } from './asker';
import type { FileParts } from './fileParts';
import type { FilePart, FileReading } from './fileReading';
import type { LinesWanted } from './takeLines';
import type { FoundFile, GatedPath } from './pathGate';
import { partCursor, readPartCursor } from './partCursor';
import { searchedDirectory } from './searchedDirectory';
import type { SearchScope } from './searchTypes';
import type { Snapshot } from './snapshots';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** How much text one answer may have, structured and plain together: below 8,000 tokens. */
const MOST_CHARACTERS = 28_000;
/** What a character takes in JSON at most: `\u0000`. */
const MOST_PER_CHARACTER = 6;
const PER_PAGE = 200;

const directory = {
  type: 'string',
  maxLength: longest.address,
  description: 'Only below this directory: its path below the workspace folder, absolute path, or file URI.',
} as const;
const globs = (what: string): Readonly<Record<string, unknown>> => ({
  ...listOf({ type: 'string', minLength: 1, maxLength: longest.glob }),
  maxItems: 20,
  description: `${what} Globs such as "*.ts", "src/**" or "{a,b}/*.md"; one without a slash goes for names at any depth.`,
});
const fileSchema = objectSchema({ file: text, uri: text }, ['file', 'uri']);

interface ReadArgs {
  readonly file?: string;
  readonly workspace?: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly cursor?: string;
}

export function readFileTool(parts: FileParts): EditorTool {
  const { reading } = parts;
  return defineTool<ReadArgs>({
    name: 'read_file',
    title: 'Read file',
    description:
      'The text of a file, as the person has it in the editor: unsaved text first, then the disk. Long files come in parts.',
    group: 'read',
    input: {
      file: argument.file,
      workspace: argument.workspace,
      startLine: { ...argument.line, description: 'First line, counting from 1.' },
      endLine: { ...argument.line, description: 'Last line, which is given too.' },
      cursor: argument.cursor,
    },
    required: ['file'],
    output: objectSchema(
      {
        file: text,
        uri: text,
        text,
        startLine: argument.line,
        startColumn: {
          ...argument.column,
          description: 'Where the text begins in its first line, if not at its start.',
        },
        endLine: argument.line,
        totalLines: count,
        source: { enum: ['buffer', 'disk'], description: 'Whether it is the text of the editor or of the disk.' },
        dirty: { type: 'boolean', description: 'Whether the editor has it unsaved.' },
        version: { type: 'integer', description: "Of the editor's document." },
        mtime: text,
        encoding: text,
        eol: { enum: ['lf', 'crlf'] },
        nextCursor: text,
      },
      ['file', 'uri', 'text', 'startLine', 'endLine', 'source', 'dirty', 'encoding', 'eol'],
    ),
    run: ({ file: name = '', workspace, ...wanted }, asker) =>
      reading.use(name, workspace, (found) => readPart(parts, found, wanted, asker)),
  });
}

async function readPart(
  { reading, gate }: FileParts,
  found: FoundFile,
  { startLine = 1, endLine, cursor }: Pick<ReadArgs, 'startLine' | 'endLine' | 'cursor'>,
  asker: Asker,
): Promise<CallToolResult> {
  const { uri, kind } = found.place;
  const file = gate.label(found.place);
  if (kind === 'directory') {
    throw new PorticoError('RESOURCE_UNKNOWN', `${file} is a directory; list_files lists what it holds.`);
  }
  const at = cursor === undefined ? undefined : readPartCursor(cursor, uri);
  if (endLine !== undefined && endLine < (at?.line ?? startLine)) {
    throw new PorticoError('ARGUMENTS_INVALID', 'endLine is before startLine.');
  }
  const column = at?.column ?? 1;
  const wanted = { startLine: at?.line ?? startLine, column, ...(endLine === undefined ? {} : { endLine }) };
  const part = await fittingPart(reading, found, wanted, asker);
  if (at && at.stamp !== part.stamp) {
    const message = `${file} has changed meanwhile, or is not in the encoding that it began with. Read it anew from line ${at.line} on, without the cursor.`;
    throw new PorticoError('ARGUMENTS_INVALID', message);
  }
  const { next, stamp, meta, text: given, ...lines } = part;
  const nextCursor = next && partCursor(uri, { ...next, stamp });
  const head = [
    `${oneLine(file)} lines ${lines.startLine}-${lines.endLine}`,
    lines.totalLines === undefined ? '' : ` of ${lines.totalLines}`,
    meta.dirty ? ', unsaved' : '',
    nextCursor === undefined ? '' : `; the rest with cursor ${nextCursor}`,
  ].join('');
  return answer(
    { file, uri, text: given, ...lines, ...(column > 1 ? { startColumn: column } : {}), ...meta, nextCursor },
    head,
    [{ type: 'text', text: given }],
  );
}

/** As much as fits one answer, where it is twice: as it is, and as JSON, which some texts make much longer. */
async function fittingPart(
  reading: FileReading,
  found: FoundFile,
  wanted: Omit<LinesWanted, 'maxCharacters'>,
  asker: Asker,
): Promise<FilePart> {
  for (let maxCharacters = MOST_CHARACTERS / 2; ;) {
    const part = await reading.part(found, { ...wanted, maxCharacters }, asker);
    if (part.text.length * (1 + MOST_PER_CHARACTER) < MOST_CHARACTERS) {
      return part;
    }
    const size = part.text.length + JSON.stringify(part.text).length;
    if (size <= MOST_CHARACTERS) {
      return part;
    }
    maxCharacters = Math.floor((part.text.length * MOST_CHARACTERS) / size) - 1;
  }
}

interface ListArgs {
  readonly directory?: string;
  readonly workspace?: string;
  readonly include?: readonly string[];
  readonly cursor?: string;
}

const listSchema = objectSchema({ total: count, files: listOf(fileSchema), nextCursor: text }, ['total', 'files']);

export function listFilesTool({ index, threads, gate }: FileParts): EditorTool {
  return defineTool<ListArgs>({
    name: 'list_files',
    title: 'List files',
    description:
      'The files of the workspace, or of a directory with all below it, without what Git or the settings leave out.',
    group: 'read',
    input: {
      directory,
      workspace: argument.workspace,
      include: globs('Only files that fit one of these.'),
      cursor: argument.cursor,
    },
    output: listSchema,
    async run({ directory: name, workspace, include = [], cursor }, context) {
      assertGlobs('include', include);
      const within = await directoryOf(gate, name, workspace);
      const list = ['list', within?.uri ?? '', include];
      const { snapshot, place } =
        cursor === undefined ? { snapshot: await index.snapshot(), place: [0] } : index.snapshots.open(cursor, list);
      const scope = scopeOf(within, snapshot);
      const params = { files: snapshot.files, include, limit: PER_PAGE, maxCharacters: MOST_CHARACTERS };
      const result = await threads.filter({ ...params, from: place[0] ?? 0, ...scope }, context);
      const files = index
        .filesOf(snapshot, result.found)
        .map(({ uri, folder, path }) => ({ file: gate.label({ folder, segments: path.split('/') }), uri }));
      const nextCursor = result.next === undefined ? undefined : index.snapshots.cursor(snapshot, list, [result.next]);
      const head = nextCursor === undefined ? '' : `\n… of ${result.total} files; the rest with cursor ${nextCursor}`;
      const lines = files.map(({ file }) => oneLine(file)).join('\n');
      const none = include.length > 0 ? 'No files.' : 'No files that Git and the settings do not leave out.';
      return answer({ total: result.total, files, nextCursor }, `${lines || none}${head}`);
    },
  });
}

interface FindArgs {
  readonly query?: string;
  readonly limit?: number;
}

const FOUND = 30;

export function findFilesTool({ index, gate }: FileParts): EditorTool {
  return defineTool<FindArgs>({
    name: 'find_files',
    title: 'Find files',
    description: 'Files by a part of their name or path, or by letters of it in their order; the best first.',
    group: 'read',
    input: {
      query: { type: 'string', minLength: 1, maxLength: 500 },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: `Files per answer. Default ${FOUND}.` },
    },
    required: ['query'],
    output: objectSchema({ total: count, files: listOf(fileSchema) }, ['total', 'files']),
    async run({ query = '', limit = FOUND }) {
      const { found, total } = await index.fuzzy(query, { kind: 'file', limit });
      const files = found.map(({ uri, folder, path }) => ({
        file: gate.label({ folder, segments: path.split('/') }),
        uri,
      }));
      const more = total > files.length ? `\n… of ${total} files; more letters find fewer.` : '';
      return answer(
        { total, files },
        `${files.map(({ file }) => oneLine(file)).join('\n') || `No file fits ${quoted(query)}.`}${more}`,
      );
    },
  });
}

interface SearchArgs {
  readonly query?: string;
  readonly isRegExp?: boolean;
  readonly matchCase?: boolean;
  readonly wholeWord?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly directory?: string;
  readonly workspace?: string;
  readonly maxResults?: number;
  readonly contextLines?: number;
  readonly cursor?: string;
}

const matchSchema = objectSchema(
  {
    line: argument.line,
    column: argument.column,
    endLine: argument.line,
    endColumn: { ...argument.column, description: 'The first column after the match.' },
    text: { type: 'string', description: 'The line, or the part of it around the match.' },
    textColumn: { ...argument.column, description: 'Where `text` begins in the line, where it is a part.' },
    before: listOf(text),
    after: listOf(text),
  },
  ['line', 'column', 'endLine', 'endColumn', 'text'],
);

export function searchTextTool({ index, search, gate }: FileParts): EditorTool {
  const flag = (description: string) => ({ type: 'boolean', description }) as const;
  return defineTool<SearchArgs>({
    name: 'search_text',
    title: 'Search text',
    description:
      'Text in the files of the workspace, unsaved text included; literally, or by a JavaScript regular expression.',
    group: 'read',
    input: {
      query: { type: 'string', minLength: 1, maxLength: longest.query },
      isRegExp: flag('Whether the query is a regular expression; `^` and `$` go by lines.'),
      matchCase: flag('Whether case matters. Default false.'),
      wholeWord: flag('Whether only whole words count.'),
      include: globs('Only files that fit one of these.'),
      exclude: globs('No files that fit one of these.'),
      directory,
      workspace: argument.workspace,
      maxResults: { type: 'integer', minimum: 1, maximum: 500, description: 'Matches per answer. Default 100.' },
      contextLines: { type: 'integer', minimum: 0, maximum: 5, description: 'Lines before and after. Default 0.' },
      cursor: argument.cursor,
    },
    required: ['query'],
    output: objectSchema(
      {
        files: listOf(
          objectSchema({ file: text, uri: text, unsaved: { type: 'boolean' }, matches: listOf(matchSchema) }, [
            'file',
            'uri',
            'unsaved',
            'matches',
          ]),
        ),
        searched: { ...count, description: 'Files that were looked through.' },
        skipped: { ...count, description: 'Files that are no text, larger than 5 MB, or cannot be read.' },
        timedOut: { type: 'boolean', description: 'Whether the cursor is there because time ran out.' },
        nextCursor: text,
      },
      ['files', 'searched', 'skipped'],
    ),
    async run(args, context) {
      assertGlobs('include', args.include ?? []);
      assertGlobs('exclude', args.exclude ?? []);
      const within = await directoryOf(gate, args.directory, args.workspace);
      const snapshot = await index.snapshot();
      const query = {
        pattern: {
          text: args.query ?? '',
          isRegExp: args.isRegExp ?? false,
          matchCase: args.matchCase ?? false,
          wholeWord: args.wholeWord ?? false,
        },
        include: args.include ?? [],
        exclude: args.exclude ?? [],
        maxMatches: args.maxResults ?? 100,
        contextLines: args.contextLines ?? 0,
        maxCharacters: MOST_CHARACTERS,
        ...scopeOf(within, snapshot),
      };
      const {
        outcome,
        nextCursor,
        snapshot: searched,
      } = await search.run(query, context, args.cursor, ({ done, total }) =>
        context.progress({ progress: done, total, message: 'Searching files' }),
      );
      const files = outcome.files.flatMap(({ folder, path, isBuffer, matches }) =>
        index.filesOf(searched, [{ folder, path }]).map((found) => ({
          file: gate.label({ folder: found.folder, segments: path.split('/') }),
          uri: found.uri,
          unsaved: isBuffer,
          matches,
        })),
      );
      const blocks = files.map(({ file, unsaved, matches }) => {
        const lines = matches.map(({ line, column, text: shown }) => `  ${line}:${column}: ${shown.trim()}`);
        return [`${oneLine(file)}${unsaved ? ' (unsaved)' : ''}`, ...lines].join('\n');
      });
      const more = nextCursor === undefined ? [] : [`… there may be more: cursor ${nextCursor}`];
      const { searched: lookedAt, skipped, stopped } = outcome;
      const isUnseen = lookedAt === 0 && skipped === 0 && args.cursor === undefined && nextCursor === undefined;
      const none = isUnseen
        ? 'No file was looked through: none is there that fits and that Git and the settings do not leave out.'
        : 'No matches.';
      const plain = [...(blocks.length > 0 ? blocks : [none]), ...more].join('\n');
      const timedOut = stopped === 'time' ? true : undefined;
      return answer({ files, searched: lookedAt, skipped, timedOut, nextCursor }, plain);
    },
  });
}

async function directoryOf(
  gate: FileParts['gate'],
  name: string | undefined,
  workspace: string | undefined,
): Promise<GatedPath | undefined> {
  return name === undefined && workspace === undefined ? undefined : searchedDirectory(gate, name ?? '.', workspace);
}

/** The part of a snapshot that a directory is. */
function scopeOf(directory: GatedPath | undefined, { folders }: Snapshot): { readonly scope?: SearchScope } {
  if (!directory) {
    return {};
  }
  const folder = folders.findIndex(({ uri }) => uri === directory.folder.uri);
  return { scope: { folder, prefix: directory.segments.map((segment) => `${segment}/`).join('') } };
}
