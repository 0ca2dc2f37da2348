import { isObject } from '../../../base/jsonObject';
import type { InputDefinition, Launch, RecognizedServer } from '../configTypes';
import { readEntry, record } from '../readEntry';
import { joinCommand } from './commandWords';
import { shelter } from './secrets';
import { cleanKey, keyOfCommand, keyOfUrl } from './serverKey';

/** What a text turned out to mean, or why it means nothing, or nothing at all where another reader should try. */
export type Reading =
  | { readonly kind: 'servers'; readonly servers: readonly RecognizedServer[] }
  | { readonly kind: 'nothing'; readonly reason: string }
  | undefined;

export function nothing(reason: string): Reading {
  return { kind: 'nothing', reason };
}

export function servers(...found: readonly RecognizedServer[]): Reading {
  return { kind: 'servers', servers: found };
}

/** Makes a server of a launch, under the given key or a good one. */
export function recognized(
  launch: Launch,
  key: string | undefined,
  given: readonly InputDefinition[] = [],
): RecognizedServer {
  const name = key === undefined || key.trim() === '' ? goodKey(launch) : key;
  const { launch: sheltered, inputs, secrets } = shelter(launch, cleanKey(name), given);
  return {
    key: name,
    entry: entryOf(sheltered),
    launch: sheltered,
    inputs,
    secrets,
    summary: summaryOf(sheltered, name, inputs),
  };
}

/** Makes a server of an entry's value, or says why not. */
export function recognizedEntry(
  value: unknown,
  key: string | undefined,
  given: readonly InputDefinition[] = [],
): Reading {
  const reading = readEntry(value);
  if (reading.kind === 'broken') {
    const what = reading.faults[0]?.what ?? 'cannot be used';
    return nothing(key === undefined ? `The entry ${what}.` : `Server "${key}" ${what}.`);
  }
  const own = isObject(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
  return servers(recognized(reading.launch, key ?? own, reading.inputs.length > 0 ? reading.inputs : given));
}

export function stdio(command: string, args: readonly string[], env: Iterable<readonly [string, string]> = []): Launch {
  return { type: 'stdio', command, args, env: record(env) };
}

function goodKey(launch: Launch): string {
  if (launch.type === 'stdio') {
    return keyOfCommand(launch.command, launch.args);
  }
  return URL.canParse(launch.url) ? keyOfUrl(launch.url) : 'server';
}

/** The shortest entry that says the same; `type` is written for addresses, which other hosts want. */
function entryOf(launch: Launch): Readonly<Record<string, unknown>> {
  if (launch.type === 'stdio') {
    const { command, args, env, cwd, envFile } = launch;
    return {
      command,
      ...(args.length > 0 ? { args } : {}),
      ...(Object.keys(env).length > 0 ? { env } : {}),
      ...(cwd === undefined ? {} : { cwd }),
      ...(envFile === undefined ? {} : { envFile }),
    };
  }
  const { type, url, headers } = launch;
  return { type, url, ...(Object.keys(headers).length > 0 ? { headers } : {}) };
}

function summaryOf(launch: Launch, key: string, inputs: readonly InputDefinition[]): string {
  const what = launch.type === 'stdio' ? joinCommand([launch.command, ...launch.args]) : launch.url;
  const names = Object.keys(launch.type === 'stdio' ? launch.env : launch.headers);
  const sets = names.length > 0 ? [`${launch.type === 'stdio' ? 'env' : 'headers'} ${names.join(', ')}`] : [];
  const asks =
    inputs.length > 0 ? [`asks for ${inputs.map(({ id, description }) => description ?? id).join(', ')}`] : [];
  return [launch.type, what, `name ${key}`, ...warnings(launch), ...sets, ...asks].join(' · ');
}

/** What a person should know before this runs. */
function warnings(launch: Launch): readonly string[] {
  const words = launch.type === 'stdio' ? [launch.command, ...launch.args] : [];
  const shell = words.findIndex((word) =>
    /(?:^|[\\/])(?:ba|z|da|fi)?sh$|(?:^|[\\/])(?:powershell|pwsh)(?:\.exe)?$/i.test(word),
  );
  const runsText = shell >= 0 && words.slice(shell + 1).some((word) => /^-\w*c$|^-command$/i.test(word));
  return [
    ...(/(?:^|[\\/])(?:sudo|doas)$/.test(words[0] ?? '') ? ['warning: runs as administrator'] : []),
    ...(runsText ? ['warning: a shell runs the text behind it'] : []),
  ];
}
