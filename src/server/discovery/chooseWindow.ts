import type { WindowRecord } from './discoveryTypes';

export interface WindowWish {
  /** A window's id, or the whole name, path or URI of one of its folders. */
  readonly window?: string | undefined;
  /** A folder that the window has open. */
  readonly workspace?: string | undefined;
  /** PORTICO_WINDOW, which the editor sets in its terminals. */
  readonly terminal?: string | undefined;
  /** The real path of the directory where the agent works. */
  readonly cwd: string;
  /** The windows that served before, the one that the agent belongs to first. They may have been reloaded. */
  readonly previous?: readonly WindowRecord[] | undefined;
  /** One of them went away a moment ago: no other may take its place yet. */
  readonly isReloading?: boolean | undefined;
}

export type WindowChoice =
  | {
      readonly kind: 'chosen';
      readonly record: WindowRecord;
      readonly why: string;
      /** For the next choice. */
      readonly previous: readonly WindowRecord[];
      /** False where a window may turn up that fits better. */
      readonly isBest: boolean;
    }
  /** `why` is a sentence for a person or model. */
  | { readonly kind: 'none'; readonly why: string };

/**
 * Chooses among windows that are alive, whose folders are real paths, and says why. An agent that had a window gets
 * another one only where that fits by its terminal, its directory or what was asked for: never the one used last.
 */
export function chooseWindow(
  records: readonly WindowRecord[],
  wish: WindowWish,
  platform: NodeJS.Platform,
): WindowChoice {
  const { window, workspace, terminal, cwd, previous = [], isReloading = false } = wish;
  const [home] = previous;
  const isAsked = window !== undefined || workspace !== undefined;
  const path = workspace ?? cwd;
  const ofTerminal = isAsked ? undefined : records.find(({ id }) => id === terminal);
  if (ofTerminal !== undefined) {
    const why = 'its terminal started the agent';
    return { kind: 'chosen', record: ofTerminal, why, previous: [ofTerminal], isBest: true };
  }
  const fitting =
    window === undefined ? deepest(records, path, platform) : records.filter((record) => isNamed(record, window));
  const fits = (record: WindowRecord): boolean =>
    window === undefined ? isHolding(record, path, platform) : isNamed(record, window);
  const isFinal = isAsked || terminal === undefined;

  const served = servedBefore(records, previous);
  if (served !== undefined && (fits(served.record) || (!isAsked && fitting.length === 0))) {
    const { record, why, place } = served;
    const next = previous.map((old, index) => (index === place ? record : old));
    return { kind: 'chosen', record, why, previous: next, isBest: isFinal && place === 0 && fits(record) };
  }
  if (home !== undefined && isReloading) {
    return none(`${describeWindow(home)} has gone away; it may be loading again.`, records);
  }
  const choose = (found: readonly WindowRecord[], why: string): WindowChoice | undefined => {
    const [record] = [...found].sort((a, b) => b.lastFocusedAt - a.lastFocusedAt || a.id.localeCompare(b.id));
    if (record === undefined) {
      return undefined;
    }
    // One that stands in for the agent's own gives way to it.
    const next = home !== undefined && fits(home) ? [home, record] : [record];
    const among = found.length > 1 ? `, the one used last of ${found.length}` : '';
    return {
      kind: 'chosen',
      record,
      why: `${why}${among}`,
      previous: next,
      isBest: isFinal && next.length === 1 && fits(record),
    };
  };
  if (window !== undefined) {
    return choose(fitting, `it is the one asked for (${window})`) ?? none(`No window fits “${window}”.`, records);
  }
  const isOpened = fitting.some(({ folders }) => folders.some((folder) => isSame(folder.path, path, platform)));
  const held = choose(fitting, isOpened ? `it has ${path} open` : `its folder holds ${path}`);
  if (held !== undefined) {
    return held;
  }
  if (workspace !== undefined) {
    return none(`No window has ${workspace} open.`, records);
  }
  if (home !== undefined) {
    const gone = `${describeWindow(home)}, which served before, is not there any more`;
    return none(`${gone}, and no other window has the agent’s directory open.`, records);
  }
  return (
    choose(onlyBelow(records, cwd, platform), `its folder lies in ${cwd}`) ??
    choose(records, 'no window has the agent’s directory open; this one was used last') ??
    none('', records)
  );
}

/** The first of the previous windows that is there, by its id, else by its folders, and its place among them. */
function servedBefore(
  records: readonly WindowRecord[],
  previous: readonly WindowRecord[],
): { readonly record: WindowRecord; readonly why: string; readonly place: number } | undefined {
  for (const [place, { id, folders }] of previous.entries()) {
    const same = records.find((record) => record.id === id);
    if (same !== undefined) {
      return { record: same, why: 'it served before', place };
    }
    const alike = records.find((record) => folders.length > 0 && uris(record.folders) === uris(folders));
    if (alike !== undefined) {
      return { record: alike, why: 'it has the folders of the window that served before', place };
    }
  }
  return undefined;
}

function uris(folders: WindowRecord['folders']): string {
  return folders.map(({ uri }) => uri).join('\n');
}

/** Whether the path lies in one of its folders, however deep. */
function isHolding({ folders }: WindowRecord, path: string, platform: NodeJS.Platform): boolean {
  return folders.some((folder) => holds(folder.path, path, platform));
}

function none(why: string, records: readonly WindowRecord[]): WindowChoice {
  const open = records.map((record) => `${describeWindow(record)} (${record.id})`);
  const others = open.length > 0 ? `Open are: ${open.join('; ')}.` : 'No editor window with Portico is open.';
  return { kind: 'none', why: `${why} ${others}`.trim() };
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

function isSame(folder: string, path: string, platform: NodeJS.Platform): boolean {
  return holds(folder, path, platform) && holds(path, folder, platform);
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
