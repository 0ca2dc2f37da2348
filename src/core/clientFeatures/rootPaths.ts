import { posix, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';

// Paths by the rules of a platform, which is a parameter, so that each can be tested on any.

/**
 * The `file://` URI of an absolute path, in the form that Node gives it and servers turn back: a drive's colon stays,
 * all else that is not plain is percent-encoded (spec: client/roots; RFC 8089). The editor's own URIs encode the colon.
 */
export function toRootUri(path: string, platform: NodeJS.Platform): string {
  const { href } = pathToFileURL(path, { windows: platform === 'win32' });
  // Of a whole drive, `C:\`, some versions of Node make `file:///C://`.
  return href.replace(/([^/])\/\/$/, '$1/');
}

export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** Whether a path is a directory or lies in it. */
export function isWithin(path: string, directory: string, platform: NodeJS.Platform): boolean {
  const paths = pathsOf(platform);
  const relative = paths.relative(folded(directory, platform), folded(path, platform));
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}

export function isSamePath(one: string, other: string, platform: NodeJS.Platform): boolean {
  return isWithin(one, other, platform) && isWithin(other, one, platform);
}

/** File systems of Windows and macOS take upper for lower case; that of macOS takes composed for decomposed letters, too. */
function folded(path: string, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return path.normalize('NFC').toLowerCase();
    case 'win32':
      return path.toLowerCase();
    default:
      return path;
  }
}
