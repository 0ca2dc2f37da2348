import type { StepAnswer } from './argumentSteps';
import type { ArgumentField, Suggestions } from './askArgumentsTypes';
import { counted, inertLine } from './text';

/** A text of the editor that may become an argument. */
export interface EditorText {
  readonly label: string;
  readonly description: string;
  readonly value: string;
}

export interface SeparatorRow {
  readonly kind: 'separator';
  readonly label: string;
}

export interface ChoiceRow {
  /** `text`: whatever stands in the box. `command`: what it prints, or one that is asked for. */
  readonly kind: 'value' | 'text' | 'skip' | 'command';
  /** Tells rows apart over changes of the list. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Of the kind `value`. */
  readonly value?: string;
}

export type ArgumentRow = SeparatorRow | ChoiceRow;

export interface ArgumentRowsInput {
  readonly field: ArgumentField;
  /** What stands in the box. */
  readonly typed: string;
  /** The value from before, where the box cannot hold it. */
  readonly kept: string | undefined;
  readonly suggestions: Suggestions;
  readonly texts: readonly EditorText[];
  /** Whether commands may be run. */
  readonly commands: boolean;
}

/** What a person can choose from in one step. */
export function argumentRows({ field, typed, kept, suggestions, texts, commands }: ArgumentRowsInput): ArgumentRow[] {
  const { values, more } = suggestions;
  const own: ChoiceRow[] = [];
  if (typed !== '' && !values.includes(typed)) {
    own.push({ kind: 'text', id: 'text', label: inertLine(typed, 80) || '(spaces)', description: 'as text' });
  }
  if (typed === '' && kept !== undefined && !(kept === '' && field.required)) {
    own.push(valueRow('kept', `Keep ${inertLine(kept, 60) || 'the Empty Text'}`, size(kept), kept));
  }
  if (typed === '' && !field.required) {
    own.push({ kind: 'skip', id: 'skip', label: 'Skip', description: 'leaves it out' });
  }
  const suggested = values.map((value) =>
    valueRow(`suggestion:${value}`, inertLine(value, 80) || '(empty text)', '', value),
  );
  const others = texts.map(({ label, description, value }) =>
    valueRow(label, label, `${inertLine(description, 80)}, ${size(value)}`, value),
  );
  if (commands) {
    others.push(
      typed === ''
        ? { kind: 'command', id: 'command', label: 'Command Output…', description: 'asks for a command line' }
        : { kind: 'command', id: 'command', label: 'Run as Command', description: 'what it prints becomes the value' },
    );
  }
  if (typed === '' && kept !== '' && !field.required && !values.includes('')) {
    others.push(valueRow('empty', 'Empty Text', 'is sent as an empty value', ''));
  }
  const heading = more ? `the first ${values.length} suggestions, type to see others` : 'suggestions';
  return [
    ...own,
    ...(suggested.length > 0 ? [{ kind: 'separator', label: heading } as const, ...suggested] : []),
    ...(others.length > 0 ? [{ kind: 'separator', label: 'other values' } as const, ...others] : []),
  ];
}

/** The row that Enter takes unless the person goes to another one; none while a value is still to be chosen. */
export function firstChoice({ typed }: ArgumentRowsInput, rows: readonly ArgumentRow[]): ChoiceRow | undefined {
  const choices = rows.filter((row) => row.kind !== 'separator');
  if (typed !== '') {
    return choices.find(({ kind, value }) => kind === 'text' || value === typed);
  }
  const [first] = choices;
  return first?.id === 'kept' || first?.kind === 'skip' ? first : undefined;
}

/** What is left of the suggestions for a text before, until those for the new one are there. */
export function narrowed({ values, more }: Suggestions, typed: string): Suggestions {
  const wanted = typed.toLowerCase();
  return { values: values.filter((value) => value.toLowerCase().includes(wanted)), more };
}

/** What Enter means; nothing where a value is needed and there is none. */
export function toAnswer(
  row: ArgumentRow | undefined,
  typed: string,
): StepAnswer | { readonly kind: 'command'; readonly line: string } | undefined {
  switch (row?.kind) {
    case 'value':
      return { kind: 'value', value: row.value ?? '' };
    case 'skip':
      // Typed faster than the list could follow.
      return typed === '' ? { kind: 'skip' } : { kind: 'value', value: typed };
    case 'command':
      return { kind: 'command', line: typed };
    default:
      return typed === '' ? undefined : { kind: 'value', value: typed };
  }
}

function valueRow(id: string, label: string, description: string, value: string): ChoiceRow {
  return { kind: 'value', id, label, description, value };
}

function size(text: string): string {
  return counted(text.length, 'character');
}
