import { QuickInputButtons, type QuickPick, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { systemClock } from '../../base/clock';
import { DisposableStore } from '../../base/disposable';
import { ArgumentCompleter } from './argumentCompleter';
import { type ArgumentRow, argumentRows, firstChoice, narrowed, toAnswer } from './argumentRows';
import { type Step, type StepAnswer, walkSteps } from './argumentSteps';
import type { ArgumentSteps, Suggestions } from './askArgumentsTypes';
import { askCommandOutput, commandsAllowed, editorTexts } from './editorTexts';
import { inertLine } from './text';

type RowItem = QuickPickItem & { readonly row: ArgumentRow };
type RowAnswer = StepAnswer | { readonly kind: 'command'; readonly line: string };

/** A box has one line, and nobody reads more of it. */
const boxLength = 500;

/**
 * Asks for the fields one after another, with suggestions while typing and a way back. Gives the values, skipped ones
 * absent; nothing where the person cancelled.
 */
export async function askArguments(steps: ArgumentSteps): Promise<Readonly<Record<string, string>> | undefined> {
  return walkSteps(steps.fields, steps.initial ?? {}, async (first) => {
    let step = first;
    for (;;) {
      const answer = await askStep(steps, step);
      if (answer.kind !== 'command') {
        return answer;
      }
      const output = await askCommandOutput(stepTitle(steps, step), answer.line);
      if (output !== undefined) {
        return { kind: 'value', value: output };
      }
      step = { ...step, typed: answer.line };
    }
  });
}

async function askStep(steps: ArgumentSteps, step: Step): Promise<RowAnswer> {
  const { field, given } = step;
  const { complete } = steps;
  const store = new DisposableStore();
  const pick = store.add(window.createQuickPick<RowItem>());
  const fits = step.kept !== undefined && step.kept.length <= boxLength && !/[\r\n]/.test(step.kept);
  pick.title = stepTitle(steps, step);
  pick.step = step.number;
  pick.totalSteps = step.total;
  pick.ignoreFocusOut = true;
  pick.placeholder = placeholder(step);
  pick.buttons = step.number > 1 ? [QuickInputButtons.Back] : [];
  pick.value = step.typed === '' && fits ? (step.kept ?? '') : step.typed;
  const fixed = {
    field,
    kept: fits && step.kept !== '' ? undefined : step.kept,
    texts: steps.editorTexts === true ? editorTexts() : [],
    commands: steps.editorTexts === true && commandsAllowed(),
  };
  let suggestions: Suggestions = { values: [], more: false };
  const show = (active: ArgumentRow | undefined): void => {
    const input = { ...fixed, typed: pick.value, suggestions };
    const rows = argumentRows(input);
    showRows(pick, rows, rows.find((row) => isSame(row, active)) ?? firstChoice(input, rows));
  };
  try {
    return await new Promise<RowAnswer>((resolve) => {
      store.add(
        pick.onDidChangeValue((value) => {
          suggestions = narrowed(suggestions, value);
          show(undefined);
        }),
      );
      store.add(pick.onDidTriggerButton(() => resolve({ kind: 'back', typed: pick.value })));
      store.add(pick.onDidHide(() => resolve({ kind: 'cancel' })));
      store.add(
        pick.onDidAccept(() => {
          const answer = toAnswer(pick.selectedItems[0]?.row, pick.value);
          if (answer) {
            resolve(answer);
          } else {
            pick.placeholder = `${fieldLabel(step)} is needed: type a value, or choose one below`;
          }
        }),
      );
      if (complete) {
        const completer = new ArgumentCompleter(
          (value, signal) => complete(field.name, value, given, signal),
          systemClock,
          {
            suggested(value, found) {
              if (value === pick.value) {
                suggestions = found;
                show(pick.activeItems[0]?.row);
              }
            },
            busy: (busy) => (pick.busy = busy),
          },
        );
        store.add(completer);
        store.add(pick.onDidChangeValue((value) => completer.type(value)));
        completer.type(pick.value);
      }
      show(undefined);
      pick.show();
    });
  } finally {
    store.dispose();
  }
}

function showRows(pick: QuickPick<RowItem>, rows: readonly ArgumentRow[], active: ArgumentRow | undefined): void {
  pick.items = rows.map(toItem);
  pick.activeItems = pick.items.filter(({ row }) => row === active);
}

function toItem(row: ArgumentRow): RowItem {
  return row.kind === 'separator'
    ? { label: row.label, kind: QuickPickItemKind.Separator, row }
    : { label: row.label, description: row.description, alwaysShow: true, row };
}

function isSame(row: ArgumentRow, other: ArgumentRow | undefined): boolean {
  return row.kind !== 'separator' && other !== undefined && other.kind !== 'separator' && row.id === other.id;
}

/** `travel — Plan a vacation: Destination *` */
function stepTitle({ title }: ArgumentSteps, step: Step): string {
  return `${title}: ${fieldLabel(step)}${step.field.required ? ' *' : ''}`;
}

function fieldLabel({ field }: Step): string {
  return inertLine(field.title ?? '', 60) || inertLine(field.name, 60);
}

function placeholder({ field, number, total }: Step): string {
  const next = number === total ? 'finishes' : 'goes on';
  const hint = field.required ? `required, Enter ${next}` : `optional, Enter ${next}, also without a value`;
  return [inertLine(field.description ?? '', 120), hint].filter(Boolean).join(' · ');
}
