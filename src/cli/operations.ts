import { PorticoError } from '../base/errors';
import type { TemplateValue } from '../core/catalog/catalogTypes';
import type { Hub } from '../core/hubTypes';
import type { CommandLine } from './commandLine';
import type { Output } from './output';

/** Commands about one server: starts no other, and prints the result as it came. Rejects with the reason. */
export async function runOperation(line: CommandLine, hub: Hub, output: Output): Promise<number> {
  const [server = '', what = ''] = line.operands;
  // Read before the start: what cannot be sent need not start a process.
  const operation = readOperation(line, hub);
  needServer(hub, server);
  if (line.command !== 'expand' || !isTemplate(what)) {
    await hub.start(server, { interactive: false, urgent: true });
  }
  const result = await operation();
  output.json(result, line.json ? 0 : 2);
  // Some servers say it in a text.
  return 'isError' in result && result.isError ? 2 : 0;
}

/** What to do once the server runs. */
function readOperation({ command, operands, timeoutMs }: CommandLine, hub: Hub): () => Promise<object> {
  const [server = '', what = '', ...more] = operands;
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  switch (command) {
    case 'call': {
      const args = toObject(more[0]);
      const caller = { kind: 'cli', label: 'CLI' } as const;
      return () => hub.callTool({ server, name: what }, args, { ...options, caller });
    }
    case 'read':
      return () => hub.readResource(server, what, options);
    case 'prompt': {
      const args = toTexts(toObject(more[0]));
      return () => {
        needRequired(hub, server, what, args);
        return hub.getPrompt(server, what, args, options);
      };
    }
    case 'complete': {
      const [name = '', argument = '', value = '', given] = more;
      const context = given === undefined ? undefined : toTexts(toObject(given));
      if (what !== 'prompt' && what !== 'template') {
        throw invalid(`Arguments of a "prompt" or a "template" are completed, not of a "${what}".`);
      }
      return () => {
        const ref =
          what === 'prompt'
            ? ({ type: 'ref/prompt', name } as const)
            : ({ type: 'ref/resource', uri: listedTemplate(hub, server, name) ?? name } as const);
        return hub.complete(server, ref, { name: argument, value }, context, options);
      };
    }
    default: {
      const values = toTemplateValues(toObject(more[0]));
      return async () => {
        const template = isTemplate(what) ? what : listedTemplate(hub, server, what);
        if (template === undefined) {
          throw new PorticoError('RESOURCE_UNKNOWN', `"${server}" lists no resource template "${what}".`, { server });
        }
        return { uri: (await hub.uriTemplates()).expand(template, values) };
      };
    }
  }
}

/** Whether a text is a URI template by itself; it may be the name of one otherwise. */
function isTemplate(text: string): boolean {
  return /[{}]/.test(text);
}

/** The template that the server lists by that name, or as that URI template. */
function listedTemplate(hub: Hub, server: string, what: string): string | undefined {
  const listed = hub.server(server)?.lists.peek().templates.items ?? [];
  const found = listed.find(({ uriTemplate }) => uriTemplate === what) ?? listed.find(({ name }) => name === what);
  return found?.uriTemplate;
}

function needServer(hub: Hub, id: string): void {
  if (hub.server(id)) {
    return;
  }
  const broken = hub.configProblems.peek().find(({ key }) => key === id);
  if (broken) {
    throw new PorticoError('CONFIG_INVALID', broken.message, { server: id });
  }
  const [general] = hub.configProblems.peek();
  const names = hub.servers.peek().map((view) => view.id);
  const there = names.length > 0 ? `There are: ${names.join(', ')}.` : (general?.message ?? 'They name none at all.');
  throw new PorticoError('SERVER_UNKNOWN', `The config files name no server "${id}". ${there}`, { server: id });
}

function toObject(text = '{}'): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(`The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The arguments must be a JSON object, such as \'{"name": "value"}\'.');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** A listed prompt's required arguments, before anything is sent; a prompt that is not listed is the server's to judge. */
function needRequired(hub: Hub, server: string, name: string, args: Readonly<Record<string, string>>): void {
  const prompt = hub
    .server(server)
    ?.lists.peek()
    .prompts.items.find((item) => item.name === name);
  const missing = (prompt?.arguments ?? [])
    .filter((argument) => argument.required === true && !Object.hasOwn(args, argument.name))
    .map((argument) => `"${argument.name}"`);
  if (missing.length > 0) {
    throw invalid(`The prompt "${name}" of "${server}" needs ${missing.join(', ')}.`);
  }
}

/** Arguments of prompts and completions are text (spec: server/prompts, server/utilities/completion). */
function toTexts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const texts = Object.entries(values).map(([name, value]): [string, string] => {
    if (typeof value !== 'string') {
      throw invalid(`The argument "${name}" must be text: write its value in double quotes.`);
    }
    return [name, value];
  });
  // Assigned one by one, an argument called `__proto__` would be lost.
  return Object.fromEntries(texts);
}

/** Numbers and truth values mean their text; null is no value. */
function toTemplateValues(values: Readonly<Record<string, unknown>>): Readonly<Record<string, TemplateValue>> {
  const known = Object.entries(values).flatMap(([name, value]): [string, TemplateValue][] => {
    if (Array.isArray(value)) {
      return [[name, Object.values(toMembers(name, value))]];
    }
    return typeof value === 'object' && value !== null
      ? [[name, toMembers(name, value)]]
      : Object.entries(toMembers(name, { [name]: value }));
  });
  return Object.fromEntries(known);
}

function toMembers(name: string, values: object): Readonly<Record<string, string>> {
  const members = Object.entries(values).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'object' && value !== null) {
      throw invalid(`The variable "${name}" takes a text, a list of texts, or an object of texts.`);
    }
    return value === null ? [] : [[key, String(value)]];
  });
  return Object.fromEntries(members);
}

function invalid(message: string): PorticoError {
  return new PorticoError('ARGUMENTS_INVALID', message);
}
