import { PorticoError } from '../../../base/errors';
import { TimeSlices } from '../../../base/timeSlices';
import type { EditorParts } from '../editorParts';
import type { EditorPosition, EditorRange, TextReplacement } from '../editorTypes';
import { longest } from '../inputLimits';
import { plainLineEnds } from '../lineEnds';
import type { EditorTool } from '../offerTypes';
import { comparePositions, rangeOf } from '../positions';
import { loadDocument } from '../loadedDocument';
import { argument, defineTool } from '../toolSchemas';
import { confirmedEdit } from './confirmedEdit';
import { assertWhole, EditedText } from './editedText';
import { outcomeSchema } from './editOutcome';
import { SeenFiles } from './seenFiles';

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
  readonly edits?: readonly EditArgs[];
  readonly newFile?: string;
}

const text = { type: 'string', maxLength: longest.text } as const;
const atStart: EditorPosition = { line: 0, character: 0 };

export function applyEditTool(parts: EditorParts): EditorTool {
  return defineTool<Args>({
    name: 'apply_edit',
    title: 'Edit a file',
    description:
      'Changes the text of a file in the editor, unsaved changes included, as one step that the person can undo. The person sees ' +
      'the change first. Each edit either has find, a text that stands there once, or a range; ranges need the version ' +
      'of the document, or the expected text. newFile makes a file instead. Answers with the problems that the edit brought.',
    group: 'edit',
    input: {
      file: argument.file,
      workspace: argument.workspace,
      version: { type: 'integer', description: 'The version that the ranges are of; another one is refused.' },
      newFile: {
        type: 'string',
        maxLength: longest.text,
        description: 'Instead of edits: the text of a file that is to be made.',
      },
      edits: {
        type: 'array',
        minItems: 1,
        maxItems: 200,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['text'],
          properties: {
            find: { ...text, minLength: 1, description: 'Text to replace; it must stand there exactly once.' },
            line: argument.line,
            column: { ...argument.column, description: 'Default 1.' },
            endLine: argument.line,
            endColumn: { ...argument.column, description: 'Exclusive. Default: the end of endLine.' },
            expected: { ...text, description: 'What stands in the range now; anything else is refused.' },
            text: { ...text, description: 'What is put in its place.' },
          },
        },
      },
    },
    required: ['file'],
    output: outcomeSchema,
    annotations: { destructiveHint: true },
    async run({ file: name, workspace, version, edits, newFile }, context) {
      if (newFile !== undefined) {
        if (edits !== undefined) {
          throw new PorticoError('ARGUMENTS_INVALID', 'newFile: give it or edits, not both.');
        }
        assertWhole(newFile, 'newFile');
        const seen = new SeenFiles(parts);
        const file = await parts.files.findNew(name, workspace);
        const replacements = [{ range: { start: atStart, end: atStart }, text: newFile }];
        const edit = {
          edits: [{ uri: file.uri, replacements }],
          files: [{ kind: 'create', uri: file.uri }],
        } as const;
        return confirmedEdit(parts, context, `Create ${file.label}`, edit, seen);
      }
      if (edits === undefined) {
        throw new PorticoError('ARGUMENTS_INVALID', 'edits: give them, or newFile.');
      }
      const file = await parts.files.find(name, workspace);
      const document = await loadDocument(parts, file);
      const seen = new SeenFiles(parts);
      if (version !== undefined && version !== document.version) {
        throw new PorticoError(
          'ARGUMENTS_INVALID',
          `version: ${file.label} is at version ${document.version} now. Read it again.`,
        );
      }
      const replacements = await replacementsOf(document.text(), edits, version !== undefined);
      const edit = { edits: [{ uri: document.uri, replacements }], files: [] };
      return confirmedEdit(parts, context, `Edit ${file.label}`, edit, seen);
    },
  });
}

/** In the order of their places, none of which overlap. Looks for them without holding the event loop in a long text. */
async function replacementsOf(
  text: string,
  edits: readonly EditArgs[],
  versioned: boolean,
): Promise<readonly TextReplacement[]> {
  const edited = new EditedText(text);
  const slices = new TimeSlices();
  const replacements: TextReplacement[] = [];
  for (const [index, edit] of edits.entries()) {
    if (slices.over) {
      await slices.next();
    }
    replacements.push(replacement(edited, edit, `edits.${index}`, versioned));
  }
  const sorted = replacements.toSorted((a, b) => comparePositions(a.range.start, b.range.start));
  sorted.forEach((edit, index) => {
    const next = sorted[index + 1];
    if (next !== undefined && comparePositions(edit.range.end, next.range.start) > 0) {
      throw new PorticoError('ARGUMENTS_INVALID', `edits: two of them overlap at line ${next.range.start.line + 1}.`);
    }
  });
  return sorted;
}

function replacement(edited: EditedText, edit: EditArgs, name: string, versioned: boolean): TextReplacement {
  const wrong = (what: string): PorticoError => new PorticoError('ARGUMENTS_INVALID', `${name}.${what}`);
  assertWhole(edit.text, `${name}.text`);
  if (edit.find !== undefined) {
    if (edit.line !== undefined) {
      throw wrong('find: give it or a range, not both.');
    }
    return { range: rangeOfText(edited, edit.find, wrong), text: edit.text };
  }
  if (edit.line === undefined) {
    throw wrong('line: give a range, or find.');
  }
  if (!versioned && edit.expected === undefined) {
    throw wrong('expected: a range needs the expected text, or the version of the document.');
  }
  const { line, column = 1, endLine = line } = edit;
  const endColumn = edit.endColumn ?? Math.max(0, edited.lengthOf(endLine - 1)) + 1;
  const range = rangeOf({ line, column, endLine, endColumn });
  if (!edited.has(range)) {
    throw wrong(`line: the range is not in the text, which has ${edited.lineCount}.`);
  }
  if (edited.cuts(range)) {
    throw wrong('column: the range begins or ends in the middle of a character.');
  }
  const there = edited.at(range);
  if (edit.expected !== undefined && there !== plainLineEnds(edit.expected)) {
    throw wrong(`expected: there stands ${JSON.stringify(there.slice(0, 300))}. Read the file again.`);
  }
  return { range, text: edit.text };
}

function rangeOfText(edited: EditedText, find: string, wrong: (what: string) => PorticoError): EditorRange {
  const range = edited.find(find);
  if (range === 'nowhere') {
    throw wrong('find: it does not stand in the text as it is now, unsaved changes included. Read the file again.');
  }
  if (range === 'often') {
    throw wrong('find: it stands there more than once. Give more of what is around it.');
  }
  if (edited.cuts(range)) {
    throw wrong('find: it begins or ends in the middle of a character.');
  }
  return range;
}
