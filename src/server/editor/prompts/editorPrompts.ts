import type { GetPromptResult, PromptArgument } from '@modelcontextprotocol/server';
import { PorticoError } from '../../../base/errors';
import { fuzzyComplete } from '../completions';
import { lineOf } from '../diagnostics/diagnosticItems';
import { summaryOf } from '../diagnostics/diagnosticsTool';
import type { EditorParts } from '../editorParts';
import { allowedDiff, changedFiles } from '../git/gitChanges';
import type { EditorPrompt, OfferContext } from '../offerTypes';
import { oneLine } from '../oneLine';
import { locate } from '../symbols/locate';
import { symbolsOf, workspaceSymbols } from '../symbols/symbolList';
import { activeView } from '../views/viewState';

const maxProblems = 100;
const maxDiff = 60_000;
/** Lines around a symbol whose end is not known. */
const aroundSymbol = 80;

const fileArgument: PromptArgument = { name: 'file', description: 'Path below the workspace folder.', required: true };

function message(description: string, text: string): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

export function fixFilePrompt(parts: EditorParts): EditorPrompt {
  return {
    definition: {
      name: 'fix_problems',
      title: 'Fix the problems of a file',
      description: 'The problems of a file as the editor sees them now, with the task to fix them.',
      arguments: [fileArgument],
    },
    complete: async (argument, value) => (argument === 'file' ? parts.files.complete(value, 'file') : undefined),
    async get({ file: name = '' }, { signal }: OfferContext) {
      const file = await parts.files.find(name);
      const report = await parts.diagnostics.report({
        scope: { kind: 'files', files: [file] },
        severities: ['error', 'warning'],
        order: 'path',
        load: 0,
        timeoutMs: 5_000,
        signal,
      });
      const listed = report.items.slice(0, maxProblems).map(lineOf);
      const cut = report.items.length > maxProblems ? [`(${report.items.length - maxProblems} more)`] : [];
      return message(
        `Problems of ${file.label}`,
        [
          `Fix these problems of ${oneLine(file.label)}. Change no more than that takes, and check with get_diagnostics afterwards.`,
          summaryOf(report, report.items.length),
          ...listed,
          ...cut,
        ].join('\n'),
      );
    },
  };
}

export function explainSelectionPrompt(parts: EditorParts): EditorPrompt {
  return {
    definition: {
      name: 'explain_selection',
      title: 'Explain the selection',
      description: 'What is selected in the editor, with the task to explain it.',
      arguments: [],
    },
    complete: async () => undefined,
    async get() {
      const active = await activeView(parts);
      if (active === undefined) {
        throw new PorticoError('PROMPT_FAILED', 'No editor is active. Select something in a file first.');
      }
      if ('withheld' in active) {
        throw new PorticoError('PROMPT_FAILED', active.withheld);
      }
      const selected = active.selections.filter(({ text }) => text !== '');
      if (selected.length === 0) {
        throw new PorticoError(
          'PROMPT_FAILED',
          `Nothing is selected in ${active.file}. Select what is to be explained.`,
        );
      }
      const parted = selected.map(
        ({ line, endLine, text }) =>
          `${oneLine(active.file)}, lines ${line}-${endLine}:\n${fenced(text, active.languageId)}`,
      );
      return message(
        `Selection in ${active.file}`,
        `Explain what this does, why it may be written so, and what to watch out for.\n\n${parted.join('\n\n')}`,
      );
    },
  };
}

export function reviewPrompt(parts: EditorParts): EditorPrompt {
  return {
    definition: {
      name: 'review_changes',
      title: 'Review my uncommitted changes',
      description: 'The diff of what is not committed, with the task to review it.',
      arguments: [],
    },
    complete: async () => undefined,
    async get() {
      const changes = await changedFiles(parts);
      if (changes.length === 0) {
        throw new PorticoError('PROMPT_FAILED', 'Nothing is changed, so there is nothing to review.');
      }
      const { diff, leftOut } = await allowedDiff(parts);
      const list = changes.map(({ file, status }) => `${status} ${oneLine(file)}`).join('\n');
      const notes = [
        diff.length > maxDiff ? 'The diff is cut; read the files for the rest.' : '',
        leftOut > 0 ? `${leftOut} parts of the diff are left out: they may not be given, or are of a conflict.` : '',
      ].filter((note) => note !== '');
      return message(
        'Uncommitted changes',
        [
          'Review these changes: faults first, then what is unclear or untested. Name file and line of each point.',
          list,
          fenced(diff.slice(0, maxDiff), 'diff'),
          ...notes,
        ].join('\n\n'),
      );
    },
  };
}

export function writeTestPrompt(parts: EditorParts): EditorPrompt {
  return {
    definition: {
      name: 'write_test',
      title: 'Write a test for a symbol',
      description: 'The text of a function or class, with the task to test it.',
      arguments: [
        { name: 'symbol', description: 'Its name, such as "open" or "Shop.open".', required: true },
        { ...fileArgument, required: false },
      ],
    },
    async complete(argument, value) {
      if (argument === 'file') {
        return parts.files.complete(value, 'file');
      }
      const names = value === '' ? [] : (await workspaceSymbols(parts, value)).map(({ name }) => name);
      return argument === 'symbol' ? fuzzyComplete(value, [...new Set(names)]) : undefined;
    },
    async get({ symbol = '', file: name }) {
      const { file, document, at, token } = await locate(parts, { name: symbol, ...(name ? { file: name } : {}) });
      const symbols = await symbolsOf(parts, file).catch(() => []);
      const whole = symbols.find(({ line, column }) => line === at.line + 1 && column === at.character + 1);
      const start = { line: (whole?.startLine ?? at.line + 1) - 1, character: 0 };
      const end = { line: whole?.lastLine ?? at.line + aroundSymbol, character: 0 };
      return message(
        `Test for ${token}`,
        `Write tests for ${oneLine(symbol)} of ${oneLine(file.label)}, in the way that this project writes its tests; look at one first. Cover its edge cases and its failures.\n\n${fenced(document.text({ start, end }), document.languageId)}`,
      );
    },
  };
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, ticks.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
