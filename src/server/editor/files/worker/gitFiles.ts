import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readFlags } from '../../../../base/openFlags';

/** The text of a file, or nothing where it is not there, none, or not to be read: rules that cannot be read do not hold. */
export function textIfAny(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, readFlags);
    return fstatSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

/** Whether a directory is the top of a Git work tree: `.git` is a directory, or a file in linked work trees and submodules. */
export function isWorkTree(directory: string): boolean {
  try {
    return statSync(join(directory, '.git'), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Not to be seen, or a link in a circle.
    return false;
  }
}

/** The rules of `info/exclude` of the repository whose work tree begins at the directory (gitrepository-layout). */
export function repositoryExcludes(directory: string): string | undefined {
  const dotGit = join(directory, '.git');
  const [, elsewhere] = /^gitdir: (.+?)\s*$/m.exec(textIfAny(dotGit) ?? '') ?? [];
  const own = elsewhere === undefined ? dotGit : resolve(directory, elsewhere);
  const common = textIfAny(join(own, 'commondir'))?.trim();
  return textIfAny(join(common === undefined ? own : resolve(own, common), 'info', 'exclude'));
}

/** The rules of `core.excludesFile`, or those at its default place (gitignore). */
export function personalExcludes(
  home: string = homedir(),
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const configHome = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const named = [join(home, '.gitconfig'), join(configHome, 'git', 'config')]
    .map((path) => excludesFileOf(textIfAny(path) ?? ''))
    .find((path) => path !== undefined);
  const path = named === undefined ? join(configHome, 'git', 'ignore') : named.replace(/^~(?=[\\/])/, home);
  return textIfAny(resolve(home, path));
}

function excludesFileOf(config: string): string | undefined {
  let section = '';
  let found: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim().toLowerCase() ?? section;
    const [, value] = /^\s*(?:\[[^\]]*\]\s*)?excludesfile\s*=\s*("[^"]*"|[^#;]*)/i.exec(line) ?? [];
    if (section === 'core' && value !== undefined) {
      found = value
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('\\\\', '\\');
    }
  }
  return found;
}
