import { toProblem } from '../../base/errors';
import type { TemplateValue, TemplateVariable, UriTemplates } from '../../core/catalog/catalogTypes';
import type { ArgumentField } from '../interop/askArgumentsTypes';

/** A template's variables as the fields that are asked for. */
export function templateFields(template: string, variables: readonly TemplateVariable[]): readonly ArgumentField[] {
  const needed = neededNames(template);
  return variables.map(({ name, explode, prefix }) => {
    const description = explode
      ? 'several values, separated by commas'
      : prefix === undefined
        ? undefined
        : `the first ${prefix} characters are used`;
    return { name, required: needed.has(name), ...(description === undefined ? {} : { description }) };
  });
}

/** Why nothing can be opened by a template. */
export function templateProblem(template: string, variables: UriTemplates['variables']): string | undefined {
  try {
    variables(template);
    return undefined;
  } catch (error) {
    return toProblem(error).message;
  }
}

/** What was typed as the values that the template expands; for a variable that takes several, the list of them. */
export function templateValues(
  variables: readonly TemplateVariable[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, TemplateValue>> {
  return Object.fromEntries(
    variables.flatMap(({ name, explode }) => {
      const text = Object.hasOwn(typed, name) ? typed[name] : undefined;
      return text === undefined ? [] : [[name, explode ? listOf(text) : text] as const];
    }),
  );
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** A URI has a hole where the variable of a plain expression is left out; other operators take their separator with them. */
function neededNames(template: string): ReadonlySet<string> {
  const expressions = [...template.matchAll(/\{\+?([^{}+#./;?&][^{}]*)\}/g)];
  return new Set(expressions.flatMap(([, names = '']) => names.split(',').map((one) => one.replace(/(\*|:\d+)$/, ''))));
}
