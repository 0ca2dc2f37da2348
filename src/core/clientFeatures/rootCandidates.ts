import type { Launch, ServerDefinition, WorkspaceFolder } from '../config/configTypes';
import { listedDirectories, type RootSettings } from './rootLists';
import { isSamePath, isWithin, pathsOf } from './rootPaths';

/** A directory that a server may be told of; nobody has looked yet whether it is there. */
export interface RootCandidate {
  readonly name: string;
  readonly path: string;
  /** Set for a workspace folder. */
  readonly folder?: WorkspaceFolder;
  /** False where the settings hold it back, and for a folder that is not on the server's machine. */
  readonly isTold: boolean;
}

/** The workspace folders that are on a file system, then what `portico.roots.include` adds; each directory once. */
export function rootCandidates(
  { key, launch }: Pick<ServerDefinition, 'key' | 'launch'>,
  settings: RootSettings,
): readonly RootCandidate[] {
  const { folders, platform } = settings;
  const listed = (kind: 'include' | 'exclude'): readonly string[] =>
    listedDirectories(kind, settings)
      .filter(({ server }) => server === '*' || server === key)
      .map(({ path }) => path);
  const included = listed('include');
  const excluded = listed('exclude');
  const sees = runsHere(launch);
  const all: RootCandidate[] = [];
  const add = (path: string, name: string, isTold: boolean, folder?: WorkspaceFolder): void => {
    if (!all.some((other) => isSamePath(other.path, path, platform))) {
      const isHeld = excluded.some((directory) => isWithin(path, directory, platform));
      all.push({ name, path, isTold: isTold && !isHeld, ...(folder ? { folder } : {}) });
    }
  };
  for (const folder of folders) {
    const { name, path } = folder;
    if (path !== undefined) {
      add(path, name, sees || included.some((other) => isSamePath(other, path, platform)), folder);
    }
  }
  for (const path of included) {
    add(path, pathsOf(platform).basename(path) || path, true);
  }
  return all;
}

/** Whether a server runs where the folders are: as a process, or behind an address of this machine. */
function runsHere(launch: Launch): boolean {
  if (launch.type === 'stdio') {
    return true;
  }
  const host = URL.canParse(launch.url) ? new URL(launch.url).hostname : '';
  return /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host);
}
