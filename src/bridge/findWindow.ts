import { realpath } from 'node:fs/promises';
import { chooseWindow, type WindowWish } from '../server/discovery/chooseWindow';
import type { WindowRecord } from '../server/discovery/discoveryTypes';
import { answersAt } from '../server/discovery/probe';
import { readRecords, recordDirectory } from '../server/discovery/recordFiles';
import type { FindWindow } from './windowLink';

/** Looks among the windows that are announced in Portico's home and answer. */
export function findWindow(home: string, wish: Omit<WindowWish, 'previous' | 'isReloading'>): FindWindow {
  return async (previous, isReloading, isSilent) => {
    const records = (await readRecords(recordDirectory(home))).filter((record) => !isSilent(record));
    const alive = await Promise.all(
      records.map(async (record) => ((await answersAt(record.address)) ? [await withRealFolders(record)] : [])),
    );
    return chooseWindow(alive.flat(), { ...wish, previous, isReloading }, process.platform);
  };
}

/** Agents know directories by their real paths. */
async function withRealFolders(record: WindowRecord): Promise<WindowRecord> {
  const folders = record.folders.map(async (folder) => ({
    ...folder,
    path: await realpath(folder.path).catch(() => folder.path),
  }));
  return { ...record, folders: await Promise.all(folders) };
}
