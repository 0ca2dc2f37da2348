import { mkdir, readFile, readlink, realpath, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PorticoError } from '../../base/errors';
import { replaceFile } from '../../base/replaceFile';
import type { ConfigEdits } from '../../core/config/configTypes';
import type { Undo } from '../interop/offerUndo';
import type { AgentEntry, EntryForm } from './agentTypes';
import { setTomlTable } from './tomlTable';

/** Entries by the name under which the agent lists them. */
export type AgentEntries = Readonly<Record<string, AgentEntry>>;

/** A change of an agent's configuration, not written yet. */
export interface AgentChange {
  readonly file: string;
  /** Absent where there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
}

const byteOrderMark = '\uFEFF';

/** The configuration with these entries; all else in it stays. Rejects with CONFIG_WRITE_FAILED where it cannot take them. */
export async function planChange(
  form: EntryForm,
  entries: AgentEntries,
  file: string,
  edits: ConfigEdits,
): Promise<AgentChange> {
  const before = await readIfThere(file);
  try {
    return { file, before, after: withEntries(before ?? '', form, entries, edits) };
  } catch (error) {
    throw PorticoError.is(error, 'CONFIG_WRITE_FAILED') ? failure(file, error.message, error) : error;
  }
}

/** A configuration of these entries alone, to be added by hand. */
export function entriesText(form: EntryForm, entries: AgentEntries, edits: ConfigEdits): string {
  return withEntries('', form, entries, edits);
}

/**
 * Writes it in one step, into the file that a link leads to, with the mode that the file has. Gives what takes it back;
 * nothing, and nothing is written, where the file is another than the one that was shown.
 */
export async function writeChange({ file, before, after }: AgentChange): Promise<Undo | undefined> {
  if ((await readIfThere(file)) !== before) {
    return undefined;
  }
  const target = await realFile(file);
  await replace(target, after);
  return async () => {
    if ((await readIfThere(target)) !== after) {
      return false;
    }
    await (before === undefined ? unlink(target) : replace(target, before));
    return true;
  };
}

function withEntries(text: string, form: EntryForm, entries: AgentEntries, edits: ConfigEdits): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const plain = Object.entries(entries).reduce((after, [name, entry]) => {
    const value = form.entry(entry);
    return form.format === 'toml'
      ? setTomlTable(after, [form.section, name], value)
      : edits.applyEdits(after, edits.setEntry(after, [form.section, name], value));
  }, text.slice(mark.length));
  return mark + plain;
}

async function readIfThere(file: string): Promise<string | undefined> {
  let bytes;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (isAbsence(error)) {
      return undefined;
    }
    throw failure(file, `It cannot be read: ${reasonOf(error)}.`, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw failure(file, 'The file is not UTF-8. Mend it first.', error);
  }
}

async function replace(target: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
    // Tokens may stand in a new one.
    await replaceFile(target, text, (await modeOf(target)) ?? 0o600);
  } catch (error) {
    throw failure(target, `It cannot be written: ${reasonOf(error)}.`, error);
  }
}

async function modeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch (error) {
    if (isAbsence(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Where a link leads to, the file itself where it is none. */
async function realFile(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (!isAbsence(error)) {
      throw error;
    }
  }
  try {
    return resolve(dirname(file), await readlink(file));
  } catch {
    // No link to nowhere either: a new file.
    return file;
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function failure(file: string, sentence: string, cause: unknown): PorticoError {
  return new PorticoError('CONFIG_WRITE_FAILED', `${file}: ${sentence}`, { cause });
}
