import { isObject } from '../../base/jsonObject';
import type { InputDefinition, Launch } from './configTypes';
import { type EntryBounds, readBounds } from './entryBounds';
import { readAuth } from './readAuth';
import { readInputs } from './readInputs';
import { meantKey } from './typo';

/** What is wrong with an entry: the rest of a sentence that begins with its name, and the value it is about. */
export interface EntryFault {
  readonly what: string;
  readonly path: readonly (string | number)[];
}

export type EntryReading =
  | {
      readonly kind: 'entry';
      readonly launch: Launch;
      readonly disabled: boolean;
      readonly inputs: readonly InputDefinition[];
      readonly bounds: EntryBounds;
    }
  | { readonly kind: 'broken'; readonly faults: readonly EntryFault[] };

type Fields = ReadonlyMap<string, unknown>;

/** Makes a launch of one entry's value, as any host writes it. Keys that nobody knows are let be. */
export function readEntry(value: unknown): EntryReading {
  if (!isObject(value)) {
    return broken({ what: 'is not an object: write {"command": …} or {"url": …}', path: [] });
  }
  const fields: Fields = new Map(Object.entries(value));
  const faults: EntryFault[] = [...slips(fields)];
  const launch = faults.length === 0 ? readLaunch(fields, faults) : undefined;
  const disabled = readSwitch(fields, faults);
  const bounds = readBounds(fields, faults);
  return launch === undefined || faults.length > 0
    ? { kind: 'broken', faults }
    : { kind: 'entry', launch, disabled, inputs: readInputs(fields.get('inputs')), bounds };
}

function broken(...faults: EntryFault[]): EntryReading {
  return { kind: 'broken', faults };
}

/** Slips of the pen count only where the key that was meant is absent and would matter. */
function* slips(fields: Fields): Generator<EntryFault> {
  for (const key of fields.keys()) {
    const meant = meantKey(key);
    if (meant === undefined || fields.has(meant) || tolerated.has(key)) {
      continue;
    }
    const other = meant === 'url' || meant === 'headers' ? fields.has('command') : fields.has('url');
    const matters = eitherWay.has(meant) || !other;
    if (matters) {
      yield { what: `has the unknown key ${JSON.stringify(key)}: write "${meant}"`, path: [key] };
    }
  }
}

/** Keys that count for a process and a remote server alike. */
const eitherWay = new Set(['type', 'disabled', 'enabled', 'timeout', 'startTimeout', 'start']);
/** Keys of other hosts that are close to a known one by chance. */
const tolerated = new Set(['dev', 'name', 'tags', 'types', 'httpUrl', 'serverUrl', 'timeoutMs', 'initTimeout']);

function readLaunch(fields: Fields, faults: EntryFault[]): Launch | undefined {
  const type = readType(fields, faults);
  const url = ['url', 'httpUrl', 'serverUrl'].find((key) => fields.has(key));
  if (faults.length > 0) {
    return undefined;
  }
  if (type === undefined && fields.has('command') && url !== undefined) {
    faults.push({ what: 'has both "command" and "url": keep one of them', path: ['url'] });
    return undefined;
  }
  if (type === 'stdio' || (type === undefined && url === undefined)) {
    return readStdio(fields, faults);
  }
  return readRemote(fields, url ?? 'url', type ?? 'http', faults);
}

function readType(fields: Fields, faults: EntryFault[]): Launch['type'] | undefined {
  const key = ['type', 'transport', 'transportType'].find((name) => typeof fields.get(name) === 'string');
  if (key === undefined) {
    if (fields.has('type')) {
      faults.push({ what: 'has a "type" that is not a text: write "stdio", "http" or "sse"', path: ['type'] });
    }
    return undefined;
  }
  const written = String(fields.get(key));
  switch (written.toLowerCase().replace(/[-_ ]/g, '')) {
    case 'stdio':
    case 'local':
    case 'command':
      return 'stdio';
    case 'http':
    case 'streamablehttp':
    case 'remote':
      return 'http';
    case 'sse':
      return 'sse';
    default:
      faults.push({
        what: `has the unknown "${key}" ${JSON.stringify(written)}: write "stdio", "http" or "sse"`,
        path: [key],
      });
      return undefined;
  }
}

function readStdio(fields: Fields, faults: EntryFault[]): Launch | undefined {
  const command = fields.get('command');
  if (command === undefined) {
    faults.push({ what: 'has neither "command" nor "url": add one of them', path: [] });
    return undefined;
  }
  if (typeof command !== 'string' || command.trim() === '') {
    const why = typeof command === 'string' ? 'empty' : 'not a text';
    faults.push({ what: `has a "command" that is ${why}: write the program's name or path`, path: ['command'] });
    return undefined;
  }
  const envFile = optionalText(fields, 'envFile', faults);
  const cwd = optionalText(fields, 'cwd', faults);
  return {
    type: 'stdio',
    command,
    args: readArgs(fields.get('args'), faults),
    env: readEnv(fields.get('env'), faults),
    ...(envFile === undefined ? {} : { envFile }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function readRemote(fields: Fields, key: string, type: 'http' | 'sse', faults: EntryFault[]): Launch | undefined {
  const url = fields.get(key);
  if (typeof url !== 'string' || url.trim() === '') {
    faults.push({ what: `has no "${key}": write the server's address`, path: url === undefined ? [] : [key] });
    return undefined;
  }
  // Where a variable stands in front, the address is checked once it is expanded.
  if (!url.includes('${') && !isServerUrl(url)) {
    faults.push({
      what: `has an unusable "${key}" ${JSON.stringify(url)}: write one that begins with http:// or https://`,
      path: [key],
    });
    return undefined;
  }
  const headers = readEnv(fields.get('headers'), faults, 'headers');
  const given = Object.entries(headers).filter((header): header is [string, string] => header[1] !== null);
  const auth = readAuth(fields, faults);
  return { type, url: url.trim(), headers: record(given), ...(auth === undefined ? {} : { auth }) };
}

/** Addresses of sockets are read too, so that an entry which leads to Portico's own socket is seen as such. */
export function isServerUrl(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:', 'unix:', 'pipe:'].includes(new URL(url).protocol);
}

function readArgs(value: unknown, faults: EntryFault[]): readonly string[] {
  if (value === undefined || value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    faults.push({ what: 'has "args" that are not a list: write ["…", "…"]', path: ['args'] });
    return [];
  }
  return value.map((item: unknown, index) => {
    const text = plainText(item);
    if (text === undefined) {
      faults.push({
        what: `has an argument that is not a text at place ${index + 1} of "args"`,
        path: ['args', index],
      });
    }
    return text ?? '';
  });
}

function readEnv(value: unknown, faults: EntryFault[], key = 'env'): Readonly<Record<string, string | null>> {
  if (value === undefined || value === null) {
    return record([]);
  }
  if (!isObject(value)) {
    faults.push({ what: `has "${key}" that is not an object: write {"NAME": "value"}`, path: [key] });
    return record([]);
  }
  const entries: [string, string | null][] = [];
  for (const [name, item] of Object.entries(value)) {
    const text = item === null ? null : plainText(item);
    if (text === undefined) {
      faults.push({ what: `has ${JSON.stringify(name)} in "${key}" that is not a text`, path: [key, name] });
    } else {
      entries.push([name, text]);
    }
  }
  return record(entries);
}

function readSwitch(fields: Fields, faults: EntryFault[]): boolean {
  for (const key of ['disabled', 'enabled']) {
    const value = fields.get(key);
    if (value !== undefined && typeof value !== 'boolean') {
      // Taken for off: a server that someone tried to switch off must not run.
      faults.push({ what: `has "${key}" that is neither true nor false`, path: [key] });
    }
  }
  return fields.get('disabled') === true || fields.get('enabled') === false;
}

function optionalText(fields: Fields, key: string, faults: EntryFault[]): string | undefined {
  const value = fields.get(key);
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  if (typeof value !== 'string') {
    faults.push({ what: `has "${key}" that is not a text: write a path`, path: [key] });
    return undefined;
  }
  return value;
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** A record without a prototype: names come from files. */
export function record<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const result: Record<string, T> = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) {
    result[name] = value;
  }
  return result;
}
