import { PorticoError } from '../base/errors';
import type { Hub } from '../core/hubTypes';
import type { CommandLine } from './commandLine';
import type { Output } from './output';

/** `call`, `read` and `prompt`: starts that server only and prints the result as it came. Rejects with the reason. */
export async function runOperation(
  { command, operands, requestMs, json }: CommandLine,
  hub: Hub,
  output: Output,
): Promise<number> {
  const [server = '', what = '', args = '{}'] = operands;
  // Before the start: what cannot be sent need not start a process.
  const values = command === 'read' ? {} : toObject(args);
  needServer(hub, server);
  await hub.start(server, { interactive: false, urgent: true });
  const options = { timeoutMs: requestMs };
  let result: object;
  switch (command) {
    case 'call':
      result = await hub.callTool({ server, name: what }, values, {
        ...options,
        caller: { kind: 'cli', label: 'CLI' },
      });
      break;
    case 'read':
      result = await hub.readResource(server, what, options);
      break;
    default:
      result = await hub.getPrompt(server, what, toTexts(values), options);
  }
  output.json(result, json ? undefined : 2);
  // Some servers say it in a text.
  return 'isError' in result && result.isError ? 2 : 0;
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

function toObject(text: string): Readonly<Record<string, unknown>> {
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

/** Arguments of prompts are text (spec: server/prompts). */
function toTexts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') {
      throw invalid(`The argument "${name}" of a prompt must be text: write its value in double quotes.`);
    }
    texts[name] = value;
  }
  return texts;
}

function invalid(message: string): PorticoError {
  return new PorticoError('ARGUMENTS_INVALID', message);
}
