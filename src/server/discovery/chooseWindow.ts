import type { WindowRecord } from './discoveryTypes';

export interface WindowWish {
  /** A window's id, or part of the name or path of one of its folders. */
  readonly window?: string | undefined;
  /** A folder that the window has open. */
  readonly workspace?: string | undefined;
  /** PORTICO_WINDOW, which the editor sets in its terminals. */
  readonly terminal?: string | undefined;
  /** The real path of the directory where the agent works. */
  readonly cwd: string;
  /** The window that was served before, which may have been reloaded. */
  readonly previous?: Pick<WindowRecord, 'id' | 'folders'> | undefined;
}

export type WindowChoice =
  | { readonly kind: 'chosen'; readonly record: WindowRecord; readonly why: string }
  /** `why` is a sentence for a person or model. */
  | { readonly kind: 'none'; readonly why: string };

/** Chooses among windows that are alive, whose folders are real paths, and says why. */
export function chooseWindow(
  records: readonly WindowRecord[],
  wish: WindowWish,
  platform: NodeJS.Platform,
): WindowChoice {
  const { window, workspace, terminal, cwd, previous } = wish;
  const chosen = (found: readonly WindowRecord[], why: string): WindowChoice | undefined => {
    const [record] = [...found].sort((a, b) => b.lastFocusedAt - a.lastFocusedAt || a.id.localeCompare(b.id));
    const among = found.length > 1 ? `, the one used last of ${found.length}` : '';
    return record && { kind: 'chosen', record, why: `${why}${among}` };
  };
  const inside = (path: string): readonly WindowRecord[] => deepest(records, path, platform);
  if (window !== undefined) {
    const found = records.filter((record) => isNamed(record, window));
    return chosen(found, `it is the one asked for (${window})`) ?? none(`No window fits “${window}”.`, records);
  }
  if (workspace !== undefined) {
    const found = inside(workspace);
    return chosen(found, `it has ${workspace} open`) ?? none(`No window has ${workspace} open.`, records);
  }
  const sameFolders = (record: WindowRecord): boolean =>
    previous !== undefined &&
    record.folders.length > 0 &&
    record.folders.map(({ uri }) => uri).join('\n') === previous.folders.map(({ uri }) => uri).join('\n');
  return (
    chosen(
      records.filter(({ id }) => id === terminal),
      'its terminal started the agent',
    ) ??
    chosen(
      records.filter(({ id }) => id === previous?.id),
      'it served before',
    ) ??
    chosen(records.filter(sameFolders), 'it has the folders of the window that served before') ??
    chosen(inside(cwd), `its folder holds ${cwd}`) ??
    chosen(onlyBelow(records, cwd, platform), `its folder lies in ${cwd}`) ??
    chosen(records, 'no window has the agent’s directory open; this one was used last') ??
    none('No editor window with Portico is open.', records)
  );
}

function none(why: string, records: readonly WindowRecord[]): WindowChoice {
  const open = records.map((record) => `${describeWindow(record)} (${record.id})`);
  return { kind: 'none', why: open.length > 0 ? `${why} Open are: ${open.join('; ')}.` : why };
}

/** The window as people know it: its folders and its editor. */
export function describeWindow({ folders, editor }: WindowRecord): string {
  const names = folders.map(({ name, path }) => `${name} at ${path}`).join(', ');
  return `${editor.name} with ${names === '' ? 'no folder' : names}`;
}

function isNamed({ id, folders }: WindowRecord, wanted: string): boolean {
  return id === wanted || folders.some(({ name, path, uri }) => [name, path, uri].includes(wanted));
}

/** The windows with the folder that holds the path most closely. */
function deepest(records: readonly WindowRecord[], path: string, platform: NodeJS.Platform): readonly WindowRecord[] {
  const depth = (record: WindowRecord): number =>
    Math.max(
      -1,
      ...record.folders
        .filter((folder) => holds(folder.path, path, platform))
        .map((folder) => segments(folder.path, platform).length),
    );
  const most = Math.max(-1, ...records.map(depth));
  return most < 0 ? [] : records.filter((record) => depth(record) === most);
}

/** The window with folders below the path, where it is one alone. */
function onlyBelow(records: readonly WindowRecord[], path: string, platform: NodeJS.Platform): readonly WindowRecord[] {
  const found = records.filter(({ folders }) => folders.some((folder) => holds(path, folder.path, platform)));
  return found.length === 1 ? found : [];
}

/** By whole segments: `/a/ns16` does not hold `/a/ns16-copy`. */
function holds(folder: string, path: string, platform: NodeJS.Platform): boolean {
  const outer = segments(folder, platform);
  const inner = segments(path, platform);
  return outer.length <= inner.length && outer.every((segment, index) => segment === inner[index]);
}

function segments(path: string, platform: NodeJS.Platform): readonly string[] {
  const isWindows = platform === 'win32';
  const folded = isWindows || platform === 'darwin' ? path.normalize('NFC').toLowerCase() : path;
  return folded.split(isWindows ? /[\\/]+/ : /\/+/).filter((segment) => segment !== '' && segment !== '.');
}
