import type { ArgumentField } from './askArgumentsTypes';

/** What a person did in one step. `typed`: what stood in the box, kept for when they come back. */
export type StepAnswer =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'back'; readonly typed: string }
  | { readonly kind: 'cancel' };

export interface Step {
  readonly field: ArgumentField;
  /** From 1. */
  readonly number: number;
  readonly total: number;
  /** What was left in the box before. */
  readonly typed: string;
  /** The value that the field has already. */
  readonly kept: string | undefined;
  /** The values of the other fields so far. */
  readonly given: Readonly<Record<string, string>>;
}

/**
 * Goes through the fields one by one, back and forth. Gives the values, skipped fields absent and empty texts kept;
 * nothing when it was cancelled.
 */
export async function walkSteps(
  fields: readonly ArgumentField[],
  initial: Readonly<Record<string, string>>,
  ask: (step: Step) => Promise<StepAnswer>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const values = new Map(Object.entries(initial).filter(([name]) => fields.some((field) => field.name === name)));
  const typed = new Map<string, string>();
  let index = 0;
  for (let field = fields[index]; field; field = fields[index]) {
    const { name } = field;
    const answer = await ask({
      field,
      number: index + 1,
      total: fields.length,
      typed: typed.get(name) ?? '',
      kept: values.get(name),
      given: Object.fromEntries([...values].filter(([other]) => other !== name)),
    });
    typed.delete(name);
    switch (answer.kind) {
      case 'cancel':
        return undefined;
      case 'back':
        typed.set(name, answer.typed);
        index = Math.max(0, index - 1);
        break;
      case 'skip':
        values.delete(name);
        index += 1;
        break;
      case 'value':
        values.set(name, answer.value);
        index += 1;
        break;
    }
  }
  return Object.fromEntries(values);
}
