import { PorticoError } from '../../../base/errors';
import { quoted } from '../../../base/quoted';
import type { EditorParts } from '../editorParts';
import type { EditorEdit } from '../editorTypes';
import type { EditorTool } from '../offerTypes';
import { oneLine } from '../oneLine';
import { rangeOf, spanOf } from '../positions';
import { SourceLines } from '../sourceLines';
import { locate, type Located, type SymbolArgs } from '../symbols/locate';
import { locatedSchema, locatedView, symbolArguments } from '../symbols/locationTools';
import { loadDocument } from '../loadedDocument';
import { answer, argument, defineTool, listOf, objectSchema, spanProperties, spanRequired, word } from '../toolSchemas';
import { confirmedEdit } from './confirmedEdit';
import { filesOf, isEmpty, outcomeSchema } from './editOutcome';
import { SeenFiles } from './seenFiles';

const text = { type: 'string' } as const;
const maxPreview = 150;

type RenameArgs = SymbolArgs & { readonly newName: string };

const renameArguments = { ...symbolArguments, newName: { ...word, minLength: 1 } } as const;

async function renaming(
  parts: EditorParts,
  { newName, ...args }: RenameArgs,
): Promise<{ readonly located: Located; readonly edit: EditorEdit; readonly seen: SeenFiles }> {
  const located = await locate(parts, args);
  const seen = new SeenFiles(parts);
  const edit = await parts.ports.language.rename(located.document.uri, located.at, newName).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PorticoError('NOT_SUPPORTED', `${located.token} cannot be renamed: ${reason}`, { cause });
  });
  if (isEmpty(edit)) {
    throw new PorticoError(
      'NOT_SUPPORTED',
      `${located.token} cannot be renamed: no language extension here does it, or ${quoted(newName)} is no other name that it takes. search_text finds its uses as text.`,
    );
  }
  return { located, edit, seen };
}

export function renamePreviewTool(parts: EditorParts): EditorTool {
  return defineTool<RenameArgs>({
    name: 'rename_preview',
    title: 'Preview a rename',
    description: 'Every place that renaming a symbol would change. Changes nothing.',
    group: 'read',
    input: renameArguments,
    required: ['newName'],
    output: objectSchema(
      {
        symbol: locatedSchema,
        total: { type: 'integer' },
        files: listOf(text),
        items: listOf(
          objectSchema({ file: text, ...spanProperties, text, sourceLine: text }, ['file', ...spanRequired]),
        ),
      },
      ['symbol', 'total', 'files', 'items'],
    ),
    async run(args) {
      const { located, edit } = await renaming(parts, args);
      const lines = new SourceLines(parts.files);
      const files = (await filesOf(parts, edit)).map(({ label }) => label).toSorted();
      const places = edit.edits.flatMap(({ uri, replacements }) =>
        replacements.map(({ range, text: put }) => ({
          file: parts.files.ofUri(uri)?.label ?? '',
          uri,
          text: put,
          ...spanOf(range),
        })),
      );
      const items = await Promise.all(
        places.slice(0, maxPreview).map(async ({ uri, ...place }) => {
          const { text: sourceLine } = await lines.at(uri, place.line);
          return { ...place, sourceLine };
        }),
      );
      return answer(
        { symbol: locatedView(located), total: places.length, files, items },
        [
          `Renaming ${located.token} to ${args.newName} changes ${places.length} places in ${files.length} files:`,
          ...items.map(({ file, line, column, sourceLine = '' }) =>
            oneLine(`${file}:${line}:${column} ${sourceLine.trim()}`),
          ),
        ].join('\n'),
      );
    },
  });
}

export function renameTool(parts: EditorParts): EditorTool {
  return defineTool<RenameArgs>({
    name: 'rename',
    title: 'Rename a symbol',
    description:
      'Renames a symbol everywhere, as its language extension does. The person sees the changes first; they can be undone.',
    group: 'edit',
    input: renameArguments,
    required: ['newName'],
    output: outcomeSchema,
    annotations: { destructiveHint: true },
    async run(args, context) {
      const { located, edit, seen } = await renaming(parts, args);
      return confirmedEdit(parts, context, `Rename ${located.token} to ${args.newName}`, edit, seen);
    },
  });
}

interface FormatArgs {
  readonly file: string;
  readonly workspace?: string;
  readonly line?: number;
  readonly endLine?: number;
}

export function formatTool(parts: EditorParts): EditorTool {
  return defineTool<FormatArgs>({
    name: 'format',
    title: 'Format a file',
    description:
      "Formats a file, or whole lines of it, by the person's formatter. The person sees the change first; it can be undone.",
    group: 'edit',
    input: { file: argument.file, workspace: argument.workspace, line: argument.line, endLine: argument.line },
    required: ['file'],
    output: outcomeSchema,
    annotations: { idempotentHint: true },
    async run({ file: name, workspace, line, endLine = line }, context) {
      const file = await parts.files.find(name, workspace);
      const document = await loadDocument(parts, file);
      const seen = new SeenFiles(parts);
      const range =
        line === undefined
          ? undefined
          : rangeOf({
              line,
              column: 1,
              endLine: Math.min((endLine ?? line) + 1, document.lineCount + 1),
              endColumn: 1,
            });
      const replacements = await parts.ports.language.format(document.uri, range);
      if (replacements === undefined) {
        throw new PorticoError('NOT_SUPPORTED', `No formatter for ${document.languageId} files is there.`);
      }
      const edits = replacements.length === 0 ? [] : [{ uri: document.uri, replacements }];
      return confirmedEdit(parts, context, `Format ${file.label}`, { edits, files: [] }, seen);
    },
  });
}
