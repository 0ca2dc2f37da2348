import { isObject } from '../../base/jsonObject';
import type { ServerDefinition } from '../config/configTypes';
import { rootCandidates } from './rootCandidates';
import { directoryPath, type RootSettings } from './rootLists';
import { isSamePath, isWithin } from './rootPaths';

/** What a person wants a server to be told of: absolute paths. */
export interface RootChoice {
  readonly told: readonly string[];
  readonly notTold: readonly string[];
}

type Scope = 'workspace' | 'user';
type Kind = 'include' | 'exclude';
type ListChange = (texts: readonly unknown[]) => readonly unknown[];

/**
 * The settings in which the server's own entries at one scope are changed so that it is told of what was chosen; all
 * other entries stay. What those hold back stays held back.
 */
export function chooseRoots(
  server: Pick<ServerDefinition, 'key' | 'launch'>,
  settings: RootSettings,
  scope: Scope,
  { told, notTold }: RootChoice,
): RootSettings {
  const isTold = (path: string, after: RootSettings): boolean =>
    rootCandidates(server, after).some((one) => one.isTold && isSamePath(one.path, path, settings.platform));
  const change = (before: RootSettings, kind: Kind, next: ListChange) =>
    withList(before, kind, scope, server.key, next);
  /** Takes out the texts whose directory fits; what cannot be read stays as it is. */
  const without =
    (fits: (directory: string) => boolean): ListChange =>
    (texts) =>
      texts.filter((text) => {
        const directory = directoryPath(text, undefined, settings);
        return directory === undefined || !fits(directory);
      });
  const withPath =
    (path: string): ListChange =>
    (texts) => [...texts, directoryText(path, scope, settings)];

  let after = change(
    settings,
    'include',
    without((directory) => notTold.some((path) => isSamePath(path, directory, settings.platform))),
  );
  after = change(
    after,
    'exclude',
    without((directory) => told.some((path) => isWithin(path, directory, settings.platform))),
  );
  for (const path of told.filter((one) => !isTold(one, after))) {
    const wider = change(after, 'include', withPath(path));
    after = isTold(path, wider) ? wider : after;
  }
  for (const path of notTold.filter((one) => isTold(one, after))) {
    after = change(after, 'exclude', withPath(path));
  }
  return after;
}

function withList(settings: RootSettings, kind: Kind, scope: Scope, key: string, next: ListChange): RootSettings {
  const layer = settings[kind].find((one) => one.scope === scope);
  const value = isObject(layer?.value) ? layer.value : {};
  const { [key]: list, ...others } = value;
  const texts = next(Array.isArray(list) ? list : []);
  const changed = { scope, value: texts.length > 0 ? { ...value, [key]: texts } : others };
  return { ...settings, [kind]: [...settings[kind].filter((one) => one !== layer), changed] };
}

/** A path as it is best written: a workspace's settings are read on other machines, and the person's in other windows. */
function directoryText(path: string, scope: Scope, { folders, home, platform }: RootSettings): string {
  const own = scope === 'workspace' ? folders : [];
  const folder = own.find((one) => one.path !== undefined && isSamePath(one.path, path, platform));
  if (folder && own.length === 1) {
    return '${workspaceFolder}';
  }
  if (folder && !folder.name.includes('}') && own.filter(({ name }) => name === folder.name).length === 1) {
    return `\${workspaceFolder:${folder.name}}`;
  }
  return isWithin(path, home, platform) && !/[\\/]$/.test(home) ? `~${path.slice(home.length)}` : path;
}
