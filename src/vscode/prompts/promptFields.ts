import type { Prompt } from '@modelcontextprotocol/client';
import type { ArgumentField } from '../interop/askArgumentsTypes';

/** The arguments of a prompt as steps. Only their names are sure to be text: the rest is as the server sent it. */
export function promptFields({ arguments: parameters }: Prompt): readonly ArgumentField[] {
  return ((parameters ?? []) as readonly Readonly<Record<string, unknown>>[]).map(
    ({ name, title, description, required }) => ({
      name: String(name),
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      required: required === true,
    }),
  );
}
