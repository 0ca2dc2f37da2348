import { PorticoError } from '../../base/errors';
import type { InputDefinition, ServerDefinition, VariableSource, WorkspaceFolder } from './configTypes';
import { undefinedInput } from './readInputs';
import { configText } from './withSettings';

/** What variables of one definition are answered from. */
export interface VariableContext {
  readonly definition: ServerDefinition;
  readonly folders: readonly WorkspaceFolder[];
  readonly home: string;
  readonly separator: string;
  readonly source: VariableSource;
}

/** A text to expand and where it stands, as the sentence about a missing variable names it: `"args"`, `"env" API_KEY`. */
export interface Expandable {
  readonly text: string;
  readonly where: string;
}

/** `${name}`, `${name:argument}` and, as `.mcp.json` has them, `${NAME}` and `${NAME:-default}`; all else is plain text. */
const variable = /\$\{(\/|[A-Za-z_][\w.]*)(?::([^}]*))?\}/g;

/** The inputs that texts ask for, each once, in order. */
export function inputsOf(texts: Iterable<Expandable>, definition: ServerDefinition): readonly InputDefinition[] {
  const ids = new Set<string>();
  for (const { text } of texts) {
    for (const [, name, argument] of text.matchAll(variable)) {
      if (name === 'input' && argument !== undefined) {
        ids.add(argument);
      }
    }
  }
  return [...ids].map((id) => definition.inputs.find((input) => input.id === id) ?? undefinedInput(id));
}

/**
 * Expands every variable once: what a value holds is not expanded again. Throws VARIABLE_MISSING. Without `inputs`,
 * inputs stay as they are, so that what is missing shows before anybody is asked.
 */
export function expand(
  { text, where }: Expandable,
  context: VariableContext,
  inputs: ReadonlyMap<string, string> | undefined,
): string {
  return text.replace(variable, (whole: string, name: string, argument: string | undefined) => {
    const value = name === 'input' && !inputs ? whole : valueOf(name, argument, context, inputs);
    if (value === undefined) {
      const { key, source } = context.definition;
      throw new PorticoError(
        'VARIABLE_MISSING',
        `Server "${key}" in ${source.label} uses ${whole} in ${where}, which has no value here. ${advice(name, argument)}`,
        { server: key },
      );
    }
    return value;
  });
}

/** The folder that `${workspaceFolder}` means: the source's own, else the first one. */
export function ownFolder({ definition, folders }: VariableContext): WorkspaceFolder | undefined {
  return definition.source.folder ?? folders[0];
}

function valueOf(
  name: string,
  argument: string | undefined,
  context: VariableContext,
  inputs: ReadonlyMap<string, string> | undefined,
): string | undefined {
  const { source } = context;
  if (argument?.startsWith('-')) {
    const value = source.env(name);
    return value === undefined || value === '' ? argument.slice(1) : value;
  }
  switch (name) {
    case 'workspaceFolder':
      return folderOf(argument, context)?.path;
    case 'workspaceFolderBasename':
      return folderOf(argument, context)
        ?.path?.split(/[\\/]/)
        .findLast((part) => part !== '');
    case 'userHome':
      return context.home;
    case 'pathSeparator':
    case '/':
      return context.separator;
    case 'env':
      // The editor takes an unset variable for an empty text, which makes a server fail later and far from the cause.
      return argument === undefined ? undefined : source.env(argument);
    case 'config':
      return argument === undefined ? undefined : configText(source.config(argument));
    case 'input':
      return argument === undefined ? undefined : inputs?.get(argument);
    default:
      return argument === undefined ? source.env(name) : undefined;
  }
}

function folderOf(name: string | undefined, context: VariableContext): WorkspaceFolder | undefined {
  return name === undefined ? ownFolder(context) : context.folders.find((folder) => folder.name === name);
}

function advice(name: string, argument: string | undefined): string {
  switch (name) {
    case 'env':
      return `Set the environment variable ${argument ?? ''} before the start, or write the value.`;
    case 'config':
      return `Give the setting ${argument ?? ''} a value.`;
    case 'workspaceFolder':
    case 'workspaceFolderBasename':
      return argument === undefined ? 'Open a folder.' : `Open a folder named ${argument}.`;
    default:
      return 'Write the value, or use ${env:NAME} or ${input:ID}.';
  }
}
