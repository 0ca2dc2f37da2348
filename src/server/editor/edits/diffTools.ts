import type { EditorParts } from '../editorParts';
import { longest } from '../inputLimits';
import type { EditorTool } from '../offerTypes';
import { loadDocument } from '../loadedDocument';
import { argument, defineTool, objectSchema, word } from '../toolSchemas';
import { applySeen } from './confirmedEdit';
import { assertWhole, EditedText } from './editedText';
import { outcomeSchema, refusedByPerson, unchanged } from './editOutcome';
import { longestWaitMs } from '../pendingWork';
import { SeenFiles } from './seenFiles';

interface DiffArgs {
  readonly file: string;
  readonly workspace?: string;
  readonly text: string;
  readonly title?: string;
}

export function showDiffTool(parts: EditorParts): EditorTool {
  return defineTool<DiffArgs>({
    name: 'show_diff',
    title: 'Propose a text',
    description:
      'Shows the person a file beside the text that you propose, which they may edit, and waits for their verdict. What they accept is ' +
      'put into the editor as one step that can be undone.',
    group: 'edit',
    input: {
      file: argument.file,
      workspace: argument.workspace,
      text: { type: 'string', maxLength: longest.text, description: 'The whole proposed text of the file.' },
      title: { type: 'string', maxLength: 100, description: 'What it is for, in a few words.' },
    },
    required: ['file', 'text'],
    output: outcomeSchema,
    annotations: { destructiveHint: true },
    async run({ file: name, workspace, text, title }, context) {
      assertWhole(text, 'text');
      const file = await parts.files.find(name, workspace);
      const document = await loadDocument(parts, file);
      const seen = new SeenFiles(parts);
      await seen.look([file]);
      return parts.pending.run(context, async (signal) => {
        const label = `${context.client.label}: ${title ?? file.label}`;
        const verdict = await parts.ports.view.showDiff(document.uri, text, label, signal);
        if (verdict.verdict === 'rejected') {
          return refusedByPerson();
        }
        if (verdict.text === document.text()) {
          return unchanged('The person accepted, and the file has this text already.');
        }
        const replacement = { range: new EditedText(document.text()).range, text: verdict.text };
        const edit = { edits: [{ uri: document.uri, replacements: [replacement] }], files: [] };
        return applySeen(parts, edit, seen, signal, () => parts.ports.edits.apply(edit, label));
      });
    },
  });
}

export function getResultTool(parts: EditorParts): EditorTool {
  return defineTool<{ readonly handle: string; readonly waitMs?: number }>({
    name: 'get_result',
    title: 'Result of what waited',
    description: 'What came of a call that was answered with a handle because the person had not decided yet.',
    group: 'read',
    input: {
      handle: { ...word, minLength: 1 },
      waitMs: { type: 'integer', minimum: 0, maximum: longestWaitMs, description: 'How long to wait. Default 20000.' },
    },
    required: ['handle'],
    output: objectSchema({ state: { type: 'string' }, handle: { type: 'string' } }, ['state']),
    run: ({ handle, waitMs = 20_000 }, context) => parts.pending.result(handle, context, waitMs),
  });
}
