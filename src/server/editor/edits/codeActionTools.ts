import { PorticoError } from '../../../base/errors';
import type { EditorParts } from '../editorParts';
import type { CodeActionInfo, EditorRange } from '../editorTypes';
import { lineCount } from '../files/takeLines';
import type { EditorTool } from '../offerTypes';
import { rangeOf } from '../positions';
import { loadDocument } from '../loadedDocument';
import { answer, defineTool, listOf, objectSchema, rangeArguments, word } from '../toolSchemas';
import type { WorkspaceFile } from '../workspaceTypes';
import { confirmedEdit } from './confirmedEdit';
import { outcomeSchema, refusedByPerson } from './editOutcome';
import { SeenFiles } from './seenFiles';

const text = { type: 'string' } as const;
const maxActions = 100;

interface Args {
  readonly file: string;
  readonly workspace?: string;
  readonly line: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly kind?: string;
}

const actionArguments = {
  ...rangeArguments,
  kind: { ...word, description: 'Only of this kind, such as "quickfix" or "source.organizeImports".' },
} as const;

async function actionsAt(
  parts: EditorParts,
  args: Args,
): Promise<{
  readonly file: WorkspaceFile;
  readonly actions: readonly CodeActionInfo[];
  readonly seen: SeenFiles;
}> {
  const file = await parts.files.find(args.file, args.workspace);
  const document = await loadDocument(parts, file);
  const seen = new SeenFiles(parts);
  if (args.line > document.lineCount) {
    throw new PorticoError('ARGUMENTS_INVALID', `line: ${file.label} has ${lineCount(document.text())}.`);
  }
  const actions = await parts.ports.language.codeActions(document.uri, rangeFrom(args), args.kind);
  return { file, actions, seen };
}

function rangeFrom({ line, column = 1, endLine = line, endColumn = column }: Args): EditorRange {
  return rangeOf({ line, column, endLine, endColumn });
}

export function codeActionsTool(parts: EditorParts): EditorTool {
  return defineTool<Args>({
    name: 'code_actions',
    title: 'Quick fixes',
    description:
      'Quick fixes and refactorings that language extensions offer at a place. apply_code_action applies one.',
    group: 'read',
    input: actionArguments,
    required: ['file', 'line'],
    output: objectSchema(
      {
        file: text,
        actions: listOf(
          objectSchema(
            {
              title: text,
              kind: text,
              preferred: { type: 'boolean' },
              disabled: { type: 'string', description: 'Why it cannot be applied.' },
              changes: {
                type: 'integer',
                description: 'How many places it changes; absent where nobody knows before.',
              },
            },
            ['title', 'preferred'],
          ),
        ),
      },
      ['file', 'actions'],
    ),
    async run(args) {
      const { file, actions } = await actionsAt(parts, args);
      const items = actions.slice(0, maxActions).map(({ title, kind, isPreferred, disabled, edit }) => ({
        title,
        kind,
        preferred: isPreferred,
        disabled,
        changes: edit?.edits.reduce((sum, { replacements }) => sum + replacements.length, edit.files.length),
      }));
      const lines = items.map(
        ({ title, kind, preferred, disabled }) =>
          `${title}${kind ? ` [${kind}]` : ''}${preferred ? ' (preferred)' : ''}${disabled ? ` (not now: ${disabled})` : ''}`,
      );
      return answer({ file: file.label, actions: items }, lines.join('\n') || 'There are none.');
    },
  });
}

export function applyCodeActionTool(parts: EditorParts): EditorTool {
  return defineTool<Args & { readonly title: string }>({
    name: 'apply_code_action',
    title: 'Apply a quick fix',
    description:
      'Applies one of code_actions, by its title at the same place. The person sees the changes first, or the command that it runs.',
    group: 'edit',
    input: { ...actionArguments, title: { ...word, minLength: 1, description: 'As code_actions gave it.' } },
    required: ['file', 'line', 'title'],
    output: outcomeSchema,
    annotations: { destructiveHint: true },
    async run({ title, ...args }, context) {
      const { file, actions, seen } = await actionsAt(parts, args);
      const [action, ...others] = actions.filter((each) => each.title === title);
      if (action === undefined || others.length > 0) {
        const what = action === undefined ? 'there is no such action' : 'several actions have this title; give kind';
        const titles = actions.map((each) => each.title).slice(0, 30);
        throw new PorticoError('ARGUMENTS_INVALID', `title: ${what}. At this place there are: ${titles.join(', ')}.`);
      }
      if (action.disabled !== undefined) {
        throw new PorticoError('CALL_DENIED', `${title} cannot be applied now: ${action.disabled}`);
      }
      const { edit, id } = action;
      if (edit !== undefined) {
        return confirmedEdit(parts, context, title, edit, seen, () => parts.ports.edits.applyCodeAction(id));
      }
      return parts.pending.run(context, async (signal) => {
        const detail = `A command of a language extension, for ${file.label}. What it changes is not known before.`;
        const effect = { kind: 'command', title, detail } as const;
        if (!(await parts.ports.confirm.confirm(context.client.label, effect, signal))) {
          return refusedByPerson();
        }
        if (signal.aborted || !(await parts.ports.edits.applyCodeAction(id))) {
          throw new PorticoError('CALL_DENIED', `${title} could not be applied. Ask for code_actions again.`);
        }
        return answer({ state: 'applied' }, `${title} was run. What it changed is to be seen in the files.`);
      });
    },
  });
}
