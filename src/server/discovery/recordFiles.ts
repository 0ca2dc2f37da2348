import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { lstat, open, readdir, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../base/jsonObject';
import { readNoLinkFlags } from '../../base/openFlags';
import type { WindowRecord } from './discoveryTypes';

/** Nothing that is kept here is near this size, in bytes. */
const maxBytes = 2 * 1024 * 1024;

/** Where Portico keeps what bridges need to find, in the home of the person: PORTICO_HOME, else `~/.portico`. */
export function porticoHome(env: NodeJS.ProcessEnv = process.env, home = homedir()): string {
  const given = env['PORTICO_HOME'];
  return given === undefined || given === '' ? join(home, '.portico') : given;
}

export function recordDirectory(home: string): string {
  return join(home, 'windows');
}

/** Reads a file that only its owner can read or write; anything else is taken for a trap, and for nothing. */
export async function readPrivately(path: string, uid: number | undefined): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, readNoLinkFlags);
  } catch {
    // Gone in the meantime, a link, or not ours to read.
    return undefined;
  }
  try {
    return isPrivate(await file.stat(), uid) ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

/** The same at once, for what must be done before the process ends. */
export function readPrivatelySync(path: string, uid: number | undefined): string | undefined {
  let file;
  try {
    file = openSync(path, readNoLinkFlags);
  } catch {
    // As above.
    return undefined;
  }
  try {
    return isPrivate(fstatSync(file), uid) ? readFileSync(file, 'utf8') : undefined;
  } finally {
    closeSync(file);
  }
}

function isPrivate(found: Stats, uid: number | undefined): boolean {
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
  return isOwn && found.isFile() && found.size <= maxBytes;
}

/** The records of all windows, those that died without removing theirs among them. Any that cannot be trusted is left out. */
export async function readRecords(directory: string, uid = process.getuid?.()): Promise<readonly WindowRecord[]> {
  const names = await namesIn(directory, uid);
  const texts = await Promise.all(names.map((name) => readPrivately(join(directory, name), uid)));
  return texts.flatMap((text) => {
    const record = text === undefined ? undefined : parseRecord(text);
    return record === undefined ? [] : [record];
  });
}

async function namesIn(directory: string, uid: number | undefined): Promise<readonly string[]> {
  try {
    const found = await lstat(directory);
    const isOwn = found.isDirectory() && (uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0));
    return isOwn ? (await readdir(directory)).filter((name) => name.endsWith('.json')).sort() : [];
  } catch {
    // No window has been there yet.
    return [];
  }
}

export function recordPath(directory: string, id: string): string {
  return join(directory, `${id.replace(/[^A-Za-z0-9-]/g, '_')}.json`);
}

export async function removeRecord(directory: string, id: string): Promise<void> {
  await unlink(recordPath(directory, id)).catch(() => undefined);
}

export function parseRecord(text: string): WindowRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not JSON: not ours.
    return undefined;
  }
}

function isRecord(value: unknown): value is WindowRecord {
  const has = (it: unknown, shape: Readonly<Record<string, string>>): it is Record<string, unknown> =>
    typeof it === 'object' &&
    it !== null &&
    Object.entries(shape).every(([key, type]) => typeof (it as Record<string, unknown>)[key] === type);
  return (
    has(value, {
      version: 'number',
      id: 'string',
      pid: 'number',
      machine: 'string',
      host: 'string',
      isTrusted: 'boolean',
      startedAt: 'number',
      lastFocusedAt: 'number',
    }) &&
    value['version'] === 1 &&
    has(value['editor'], { name: 'string', version: 'string' }) &&
    isAddress(value['address']) &&
    Array.isArray(value['folders']) &&
    value['folders'].every((folder) => has(folder, { name: 'string', path: 'string', uri: 'string' })) &&
    Array.isArray(value['protocolVersions']) &&
    isObject(value['clientTokens']) &&
    [value['token'], ...Object.values(value['clientTokens'])].every(isToken)
  );
}

/** What a header can carry, so that a record never makes a request impossible to write. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

/** A port is believed only on this machine: the token goes nowhere else. What is none would make the connection throw. */
function isAddress(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value)) {
    return false;
  }
  return value.kind === 'tcp'
    ? 'host' in value && value.host === '127.0.0.1' && 'port' in value && isPort(value.port)
    : (value.kind === 'socket' || value.kind === 'pipe') && 'path' in value && isSocketPath(value.path);
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;
}

function isSocketPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}
