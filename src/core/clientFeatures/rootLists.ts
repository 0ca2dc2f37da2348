import { isObject } from '../../base/jsonObject';
import type { SettingsLayer, WorkspaceFolder } from '../config/configTypes';
import { pathsOf } from './rootPaths';

/** The scopes of `portico.roots.include` and `portico.roots.exclude`, and what their texts are read with. */
export interface RootSettings {
  readonly folders: readonly WorkspaceFolder[];
  readonly include: readonly SettingsLayer[];
  readonly exclude: readonly SettingsLayer[];
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** One directory of such a setting. */
export interface ListedDirectory {
  /** The server's key, or `*`. */
  readonly server: string;
  /** Absolute. */
  readonly path: string;
}

const variable = /^~(?=$|[\\/])|\$\{([^}:]*)(?::([^}]*))?\}/g;

/** The directories that a setting lists; its scopes add up. What cannot be read is ignored and told, in a sentence. */
export function listedDirectories(
  kind: 'include' | 'exclude',
  settings: RootSettings,
  tell: (problem: string) => void = () => undefined,
): readonly ListedDirectory[] {
  return settings[kind].flatMap(({ scope, folder, value }) => {
    const ignore = (what: string, why: string): readonly [] => {
      tell(`portico.roots.${kind} in the ${scope} settings: ${what} is ignored, because it is ${why}.`);
      return [];
    };
    if (!isObject(value)) {
      return ignore('the value', 'no object of lists by server name');
    }
    return Object.entries(value).flatMap(([server, texts]) => {
      if (!Array.isArray(texts)) {
        return ignore(JSON.stringify(server), 'no list of directories');
      }
      return texts.flatMap((text: unknown) => {
        const path = directoryPath(text, folder, settings);
        return path === undefined
          ? ignore(`${JSON.stringify(text)} for ${JSON.stringify(server)}`, 'no absolute path here')
          : [{ server, path }];
      });
    });
  });
}

/**
 * The absolute path that a text of the settings means: `~`, `${userHome}`, `${workspaceFolder}` (the folder that the
 * settings belong to, else the first) and `${workspaceFolder:name}` are understood. Nothing for anything else.
 */
export function directoryPath(
  text: unknown,
  folder: WorkspaceFolder | undefined,
  { folders, home, platform }: RootSettings,
): string | undefined {
  if (typeof text !== 'string') {
    return undefined;
  }
  const valueOf = (whole: string, name: string | undefined, argument: string | undefined): string | undefined => {
    if (name === 'workspaceFolder') {
      return (argument === undefined ? (folder ?? folders[0]) : folders.find((one) => one.name === argument))?.path;
    }
    return whole === '~' || whole === '${userHome}' ? home : undefined;
  };
  let isKnown = true;
  const path = text.replace(variable, (whole: string, name?: string, argument?: string) => {
    const value = valueOf(whole, name, argument);
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  const paths = pathsOf(platform);
  return isKnown && paths.isAbsolute(path) ? paths.resolve(path) : undefined;
}
