import type { EditorParts } from '../editorParts';
import type { EditorTool } from '../offerTypes';
import { oneLine } from '../oneLine';
import { rangeOf } from '../positions';
import { answer, defineTool, listOf, objectSchema, rangeArguments, spanProperties, spanRequired } from '../toolSchemas';
import { activeView, openView } from './viewState';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const activeSchema = objectSchema({
  file: text,
  uri: text,
  languageId: text,
  version: { type: 'integer' },
  dirty: flag,
  visible: objectSchema(spanProperties, spanRequired),
  selections: listOf(objectSchema({ ...spanProperties, text, cut: flag }, [...spanRequired, 'text'])),
  withheld: text,
});

export function viewTools(parts: EditorParts): readonly EditorTool[] {
  return [activeContext(parts), openFile(parts)];
}

function activeContext(parts: EditorParts): EditorTool {
  return defineTool({
    name: 'active_context',
    title: 'What the person is looking at',
    description: 'The active editor with its selection and text of it, and the open editors.',
    group: 'read',
    input: {},
    output: objectSchema(
      {
        active: activeSchema,
        open: listOf(objectSchema({ file: text, uri: text, active: flag, dirty: flag }, ['file', 'uri'])),
        withheld: { type: 'integer', description: 'Open editors that are not told of.' },
      },
      ['open', 'withheld'],
    ),
    async run() {
      const [active, { editors, withheld }] = await Promise.all([activeView(parts), openView(parts)]);
      const lines: string[] = [];
      if (active === undefined) {
        lines.push('No editor is active.');
      } else if ('withheld' in active) {
        lines.push(active.withheld);
      } else {
        lines.push(`Active: ${oneLine(active.file)}${active.dirty ? ' (not saved)' : ''}`);
        for (const { line, column, endLine, endColumn, text: selected } of active.selections) {
          lines.push(
            selected === ''
              ? `Cursor at ${line}:${column}`
              : `Selected ${line}:${column}-${endLine}:${endColumn}:\n${selected}`,
          );
        }
      }
      const open = editors.map(({ file, dirty }) => `${oneLine(file)}${dirty ? ' (not saved)' : ''}`);
      lines.push(`Open: ${open.join(', ')}`);
      return answer({ active, open: editors, withheld }, lines.join('\n'));
    },
  });
}

interface OpenArgs {
  readonly file: string;
  readonly workspace?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

function openFile(parts: EditorParts): EditorTool {
  return defineTool<OpenArgs>({
    name: 'open_file',
    title: 'Open a file',
    description: 'Shows the person a file in the editor, with a range selected where one is given. Changes nothing.',
    group: 'read',
    input: rangeArguments,
    required: ['file'],
    output: objectSchema({ file: text, uri: text }, ['file', 'uri']),
    async run({ file: name, workspace, line, column = 1, endLine = line, endColumn = column }) {
      const file = await parts.files.find(name, workspace);
      const range = line === undefined ? undefined : rangeOf({ line, column, endLine: endLine ?? line, endColumn });
      await parts.ports.view.show(file.uri, range);
      return answer({ file: file.label, uri: file.uri }, `${file.label} is shown.`);
    },
  });
}
