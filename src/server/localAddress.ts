import { posix } from 'node:path';
import type { LocalAddress } from './serverTypes';

/** Linux allows 108 bytes for a socket's path, macOS 104; both count the final zero. */
const maxSocketPathBytes = 100;

export interface AddressSurroundings {
  readonly platform: NodeJS.Platform;
  readonly tmpdir: string;
  /** XDG_RUNTIME_DIR, where the system has one: private to the user and emptied at logout. */
  readonly runtimeDir: string | undefined;
  readonly uid: number | undefined;
  /** Unguessable, hexadecimal. */
  readonly nonce: string;
}

/**
 * Chooses the path of the window's socket or named pipe. The editor decodes percent signs in it, so a directory that
 * holds one is passed over, as is one that makes the path too long for a socket.
 */
export function chooseLocalAddress(surroundings: AddressSurroundings): LocalAddress {
  const { platform, tmpdir, runtimeDir, uid, nonce } = surroundings;
  if (platform === 'win32') {
    return { kind: 'pipe', path: `\\\\.\\pipe\\portico-${nonce}`, directory: undefined };
  }
  const directories = [
    ...(runtimeDir === undefined || runtimeDir === '' ? [] : [posix.join(runtimeDir, 'portico')]),
    posix.join(tmpdir, `portico-${uid ?? 'user'}`),
    `/tmp/portico-${uid ?? 'user'}`,
  ];
  const fits = (directory: string): boolean =>
    !directory.includes('%') && Buffer.byteLength(posix.join(directory, `${nonce}.sock`)) < maxSocketPathBytes;
  const directory = directories.find(fits) ?? `/tmp/portico-${uid ?? 'user'}`;
  return { kind: 'socket', path: posix.join(directory, `${nonce}.sock`), directory };
}

/** The parts of the URI by which the editor's client dials a local address: the request's path is the fragment. */
export function localUriParts(
  address: Pick<LocalAddress, 'kind' | 'path'>,
  requestPath: string,
): { readonly scheme: 'unix' | 'pipe'; readonly path: string; readonly fragment: string } {
  return { scheme: address.kind === 'pipe' ? 'pipe' : 'unix', path: address.path, fragment: requestPath };
}
