import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { EditorPosition, EditorRange, OpenDocument, TextReplacement } from '../editorTypes';
import type { EditorTool } from '../offerTypes';
import { comparePositions } from '../positions';
import { loadDocument } from '../symbols/symbolList';
import { argument, defineTool } from '../toolSchemas';
import { confirmedEdit } from './confirmedEdit';
import { outcomeSchema } from './editOutcome';

interface EditArgs {
  readonly find?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly expected?: string;
  readonly text: string;
}

interface Args {
  readonly file: string;
  readonly workspace?: string;
  readonly version?: number;
  readonly edits: readonly EditArgs[];
}

export function applyEditTool(parts: EditorParts): EditorTool {
  return defineTool<Args>({
    name: 'apply_edit',
    title: 'Edit a file',
    description:
      'Changes the text of a file in the editor, unsaved changes included, as one step that the person can undo. The person sees ' +
      'the change first. Each edit either has find, a text that stands there once, or a range; ranges need the version ' +
      'of the document, or the expected text. Answers with the problems that the edit brought.',
    group: 'edit',
    input: {
      file: argument.file,
      workspace: argument.workspace,
      version: { type: 'integer', description: 'The version that the ranges are of; another one is refused.' },
      edits: {
        type: 'array',
        minItems: 1,
        maxItems: 200,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['text'],
          properties: {
            find: { type: 'string', minLength: 1, description: 'Text to replace; it must stand there exactly once.' },
            line: argument.line,
            column: { ...argument.column, description: 'Default 1.' },
            endLine: argument.line,
            endColumn: { ...argument.column, description: 'Exclusive. Default: the end of endLine.' },
            expected: { type: 'string', description: 'What stands in the range now; anything else is refused.' },
            text: { type: 'string', description: 'What is put in its place.' },
          },
        },
      },
    },
    required: ['file', 'edits'],
    output: outcomeSchema,
    annotations: { destructiveHint: true },
    async run({ file: name, workspace, version, edits }, context) {
      const file = await parts.files.find(name, workspace);
      const document = await loadDocument(parts, file);
      if (version !== undefined && version !== document.version) {
        throw new PorticoError(
          'ARGUMENTS_INVALID',
          `version: ${file.label} is at version ${document.version} now. Read it again.`,
        );
      }
      const replacements = edits.map((edit, index) => replacement(document, edit, index, version !== undefined));
      const sorted = replacements.toSorted((a, b) => comparePositions(a.range.start, b.range.start));
      sorted.forEach((edit, index) => {
        const next = sorted[index + 1];
        if (next !== undefined && comparePositions(edit.range.end, next.range.start) > 0) {
          throw new PorticoError(
            'ARGUMENTS_INVALID',
            `edits: two of them overlap at line ${next.range.start.line + 1}.`,
          );
        }
      });
      return confirmedEdit(parts, context, `Edit ${file.label}`, {
        edits: [{ uri: document.uri, replacements: sorted }],
        files: [],
      });
    },
  });
}

function replacement(document: OpenDocument, edit: EditArgs, index: number, versioned: boolean): TextReplacement {
  const wrong = (what: string): PorticoError => new PorticoError('ARGUMENTS_INVALID', `edits.${index}.${what}`);
  if (edit.find !== undefined) {
    if (edit.line !== undefined) {
      throw wrong('find: give it or a range, not both.');
    }
    return { range: rangeOfText(document, edit.find, wrong), text: edit.text };
  }
  if (edit.line === undefined) {
    throw wrong('line: give a range, or find.');
  }
  if (!versioned && edit.expected === undefined) {
    throw wrong('expected: a range needs the expected text, or the version of the document.');
  }
  const lines = document.text().split(/\r\n|\r|\n/);
  const endLine = edit.endLine ?? edit.line;
  const start = { line: edit.line - 1, character: (edit.column ?? 1) - 1 };
  const end = {
    line: endLine - 1,
    character: edit.endColumn === undefined ? (lines[endLine - 1] ?? '').length : edit.endColumn - 1,
  };
  const isOutside = [start, end].some(({ line, character }) => character > (lines[line]?.length ?? -1));
  if (isOutside || comparePositions(start, end) > 0) {
    throw wrong(`line: the range is not in the text, which has ${lines.length} lines.`);
  }
  const range = { start, end };
  const there = plain(document.text(range));
  if (edit.expected !== undefined && there !== plain(edit.expected)) {
    throw wrong(`expected: there stands ${JSON.stringify(there.slice(0, 300))}. Read the file again.`);
  }
  return { range, text: edit.text };
}

function rangeOfText(document: OpenDocument, find: string, wrong: (what: string) => PorticoError): EditorRange {
  const text = plain(document.text());
  const wanted = plain(find);
  const at = text.indexOf(wanted);
  if (at < 0) {
    throw wrong('find: it does not stand in the text as it is now, unsaved changes included. Read the file again.');
  }
  if (text.indexOf(wanted, at + 1) >= 0) {
    throw wrong('find: it stands there more than once. Give more of what is around it.');
  }
  return { start: positionAt(text, at), end: positionAt(text, at + wanted.length) };
}

function positionAt(text: string, offset: number): EditorPosition {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** Line endings are the editor's affair. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
