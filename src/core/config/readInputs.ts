import type { InputDefinition } from './configTypes';

/** Reads the definitions of inputs; one without a usable id is left out, and its use asks for a plain password. */
export function readInputs(value: unknown): readonly InputDefinition[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => readInput(item)) : [];
}

/** What an input is taken for that nobody defined: a secret, asked for under its id. */
export function undefinedInput(id: string): InputDefinition {
  return { id, type: 'promptString', password: true };
}

function readInput(value: unknown): InputDefinition[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  const id = fields.get('id');
  if (typeof id !== 'string' || id === '') {
    return [];
  }
  const type = fields.get('type');
  const options = fields.get('options');
  return [
    {
      id,
      type: type === 'pickString' || type === 'command' ? type : 'promptString',
      ...textField(fields, 'description'),
      ...textField(fields, 'default'),
      ...textField(fields, 'command'),
      ...(typeof fields.get('password') === 'boolean' ? { password: fields.get('password') === true } : {}),
      ...(Array.isArray(options) ? { options: options.flatMap((option: unknown) => optionValue(option)) } : {}),
    },
  ];
}

function textField<K extends 'description' | 'default' | 'command'>(
  fields: ReadonlyMap<string, unknown>,
  key: K,
): Partial<Record<K, string>> {
  const value = fields.get(key);
  return typeof value === 'string' ? ({ [key]: value } as Partial<Record<K, string>>) : {};
}

/** The editor allows a plain text or `{label, value}`. */
function optionValue(option: unknown): string[] {
  if (typeof option === 'string') {
    return [option];
  }
  if (typeof option === 'object' && option !== null && 'value' in option && typeof option.value === 'string') {
    return [option.value];
  }
  return [];
}
