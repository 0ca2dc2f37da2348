import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { PorticoError } from '../../../base/errors';
import { fileUri, pathsOf } from './fileNames';
import { missing } from './gateErrors';
import { OpenedFile } from './openedFile';
import type { GatedPath, PathGate } from './pathGate';

const MOST_ENTRIES = 1_000;
/** Names that the system gives in one step: many more keep the event loop. */
const NAMES_AT_ONCE = 1_024;
/** How often a directory is looked at again that is replaced meanwhile. */
const LOOKS = 3;

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
  readonly uri: string;
}

export interface DirectoryListing {
  readonly entries: readonly DirectoryEntry[];
  /** How many there are; more than are given where there are very many. */
  readonly total: number;
}

/**
 * What a directory holds and agents may be given, in the order of the names. Rejects with RESOURCE_UNKNOWN where it is gone or
 * leads out by now, with RESOURCE_FAILED where it cannot be listed.
 */
export async function listDirectory(gate: PathGate, directory: GatedPath): Promise<DirectoryListing> {
  const { join } = pathsOf(gate.platform);
  const isSecret = (name: string): boolean =>
    [directory.segments, directory.realSegments].some((segments) => gate.isSecret([...segments, name]));
  const isGiven = (entry: Dirent): boolean =>
    (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()) &&
    !isSecret(entry.name) &&
    // A name that is no UTF-8 cannot be asked for.
    !entry.name.includes('\uFFFD');
  const { first, count } = await namesIn(gate, directory, isGiven);
  const shown = await Promise.all(
    first.map(async (entry): Promise<readonly DirectoryEntry[]> => {
      const path = join(directory.path, entry.name);
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : (await gate.passing(path))?.kind;
      return kind === undefined ? [] : [{ name: entry.name, kind, uri: fileUri(path, gate.platform) }];
    }),
  );
  const entries = shown.flat();
  return { entries, total: count - (shown.length - entries.length) };
}

/** The first in the order of the names, and how many there are. */
interface Names {
  readonly first: readonly Dirent[];
  readonly count: number;
}

/** What lies in the directory that was let pass, and in none that has been put in its place meanwhile. */
async function namesIn(gate: PathGate, directory: GatedPath, isGiven: (entry: Dirent) => boolean): Promise<Names> {
  const label = gate.label(directory);
  for (let look = 1; look <= LOOKS; look += 1) {
    let opened: OpenedFile | undefined;
    try {
      opened = await OpenedFile.open(directory.realPath);
      if (await opened.isAt(directory.realPath)) {
        const found = await firstOf(opened.ownPath ?? directory.realPath, isGiven);
        // Where the open one has no path of its own, it was read by the path.
        if (opened.ownPath !== undefined || (await opened.isAt(directory.realPath))) {
          return found;
        }
      }
    } catch (error) {
      throw listingError(label, error);
    } finally {
      opened?.close();
    }
  }
  await gate.directory(directory.path);
  throw new PorticoError('RESOURCE_FAILED', `${label} changed each time that it was looked into. Read it again.`);
}

/** Keeps no more than it gives, however many there are. */
async function firstOf(path: string, isGiven: (entry: Dirent) => boolean): Promise<Names> {
  let first: Dirent[] = [];
  let count = 0;
  const cut = (): void => {
    first = first.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST_ENTRIES);
  };
  for await (const entry of await opendir(path, { bufferSize: NAMES_AT_ONCE })) {
    if (isGiven(entry)) {
      count += 1;
      first.push(entry);
      if (first.length >= 4 * MOST_ENTRIES) {
        cut();
      }
    }
  }
  cut();
  return { first, count };
}

function listingError(label: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') {
    return missing(label);
  }
  const message = `${label} cannot be listed: ${code}.`;
  return code === undefined ? error : new PorticoError('RESOURCE_FAILED', message, { cause: error });
}
