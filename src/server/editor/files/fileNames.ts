import { posix, win32 } from 'node:path';
import { PorticoError } from '../../../base/errors';
import { hasHalfCharacter, percentEncoded } from '../../../base/halfCharacters';
import { quoted } from '../../../base/quoted';
import { assertLength, longest, longestName, longestPath } from '../inputLimits';

/** A file as an agent named it, made sense of without a look at the disk. */
export type FileName =
  | { readonly kind: 'absolute'; readonly path: string }
  | { readonly kind: 'relative'; readonly segments: readonly string[] };

/** Names that Windows takes for devices in whatever directory, whatever follows a dot. */
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/i;

/**
 * Reads a file URI (in any casing and encoding) or a bare path. What cannot be a file below a workspace folder is refused
 * here already, by its form alone: another machine, devices, `..`, streams of Windows, encoded separators. What is longer than
 * any path is refused with ARGUMENTS_INVALID, the rest with RESOURCE_UNKNOWN.
 */
export function readFileName(name: string, platform: NodeJS.Platform): FileName {
  assertLength('The path', name, longest.address);
  const windows = platform === 'win32';
  const path = /^file:/i.test(name) ? pathOfUri(name, windows) : name;
  assertLength('The path', path, longestPath);
  if (path === '' || path.includes('\0') || hasHalfCharacter(path)) {
    throw refused(name, 'is not a path');
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw refused(name, 'is not a file URI');
  }
  const separator = windows ? /[\\/]/ : /\//;
  const [drive = '', rest = path] = windows ? (/^([a-z]:)(.*)$/is.exec(path)?.slice(1) ?? []) : [];
  const segments = rest.split(separator);
  const rooted = segments.length > 1 && segments[0] === '';
  if (rooted && segments[1] === '' && segments.length > 2) {
    throw refused(name, 'names another machine');
  }
  if (windows && rooted !== (drive !== '')) {
    throw refused(name, 'is neither a whole path nor one relative to a folder');
  }
  const kept = segments.filter((segment) => segment !== '' && segment !== '.');
  for (const segment of kept) {
    if (segment === '..') {
      throw refused(name, 'has `..` in it');
    }
    if (sizeOf(segment, platform) > longestName) {
      throw new PorticoError('ARGUMENTS_INVALID', `${quoted(name)} has a name in it that is longer than any file's.`);
    }
    if (windows && (/[:*?"<>|]|[. ]$/.test(segment) || windowsDevice.test(segment))) {
      throw refused(name, `has ${JSON.stringify(segment)} in it, which is no file name`);
    }
  }
  if (!rooted) {
    return { kind: 'relative', segments: kept };
  }
  return { kind: 'absolute', path: windows ? `${drive.toLowerCase()}\\${kept.join('\\')}` : `/${kept.join('/')}` };
}

/** The path that a URI of the editor names; nothing where it is no file of the disk. */
export function pathOfFileUri(uri: string, platform: NodeJS.Platform): string | undefined {
  if (!/^file:/i.test(uri)) {
    return undefined;
  }
  try {
    const name = readFileName(uri, platform);
    return name.kind === 'absolute' ? name.path : undefined;
  } catch {
    // Of another machine, or of a form that no file below a folder has.
    return undefined;
  }
}

/**
 * The one URI of a path, as the editor writes it: `file:///c%3A/a%20b.ts`. Every URI that agents get is of this form,
 * so that two of them name one file exactly where they are equal.
 */
export function fileUri(path: string, platform: NodeJS.Platform): string {
  const slashed =
    platform === 'win32' ? `/${path.replaceAll('\\', '/').replace(/^[A-Z]:/, (drive) => drive.toLowerCase())}` : path;
  return `file://${slashed.split('/').map(encodeSegment).join('/')}`;
}

/** The segments that lead from a folder to a path; nothing where it lies elsewhere. Compares segments, never prefixes. */
export function segmentsBelow(folder: string, path: string, platform: NodeJS.Platform): readonly string[] | undefined {
  const above = segmentsOf(folder, platform);
  const all = segmentsOf(path, platform);
  const inside = above.every((segment, index) => foldCase(segment, platform) === foldCase(all[index] ?? '', platform));
  return inside && all.length >= above.length ? all.slice(above.length) : undefined;
}

/** By what two whole paths are the same, as `segmentsBelow` compares them: its segments with `/` between them. */
export function pathKey(path: string, platform: NodeJS.Platform): string {
  return foldCase(segmentsOf(path, platform).join('/'), platform);
}

/** A name as the file system compares it: by its letters alone on Windows and macOS. */
export function foldCase(name: string, platform: NodeJS.Platform): string {
  return platform === 'win32' || platform === 'darwin' ? name.toLowerCase() : name;
}

/** `node:path` of the platform. */
export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** As the file system counts it: Windows by UTF-16 units, the others by bytes. */
function sizeOf(name: string, platform: NodeJS.Platform): number {
  return platform === 'win32' ? name.length : Buffer.byteLength(name);
}

function segmentsOf(path: string, platform: NodeJS.Platform): string[] {
  return path.split(platform === 'win32' ? /[\\/]/ : /\//).filter((segment) => segment !== '');
}

/** The path in a file URI. `#` and `?` stand for themselves: clients expand templates without encoding them. */
function pathOfUri(uri: string, windows: boolean): string {
  // `file://c:/x` names a drive, though it stands where a machine would.
  const whole = windows ? uri.replace(/^file:\/\/(?=[a-z](?::|%3a)[\\/])/i, 'file:///') : uri;
  const [, host, path] = /^file:(?:\/\/([^/]*))?(\/.*)$/is.exec(whole) ?? [];
  if (path === undefined) {
    throw refused(uri, 'is not a file URI');
  }
  if (host !== undefined && host !== '' && host.toLowerCase() !== 'localhost') {
    throw refused(uri, 'names another machine');
  }
  if (/%2f/i.test(path) || (windows && /%5c/i.test(path))) {
    throw refused(uri, 'has an encoded separator in it');
  }
  const decoded = path.replace(/(?:%[0-9a-f]{2})+/gi, (octets) => decodeOctets(uri, octets));
  return windows ? decoded.replace(/^\/([a-z]:)/i, '$1') : decoded;
}

function decodeOctets(uri: string, octets: string): string {
  try {
    return decodeURIComponent(octets);
  } catch (cause) {
    throw new PorticoError('RESOURCE_UNKNOWN', `${quoted(uri)} is not encoded as UTF-8. Encode it anew.`, { cause });
  }
}

function encodeSegment(segment: string): string {
  return percentEncoded(segment).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function refused(name: string, what: string): PorticoError {
  return new PorticoError(
    'RESOURCE_UNKNOWN',
    `${quoted(name)} ${what}. Name a file of the workspace by its path, relative to a folder or whole, or by its file URI.`,
  );
}
