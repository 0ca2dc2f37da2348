import { fstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';

/**
 * Where the system does not say where an open file is, it is told by its path: by looks one after another, so that a directory
 * that is swapped with a link would have to be the one and the other at the right moment of each.
 */
export const LOOKS = 8;

/** Where Linux says that an open file is; other systems do not say, and have nothing at such a path that could be trusted. */
export function placeOf(descriptor: number, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform !== 'linux') {
    return undefined;
  }
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // A system without /proc: then it is looked up by the path.
    return undefined;
  }
}

/** A path that leads to what is open, wherever it is by now; none where the system has no such paths. */
export function ownPathOf(descriptor: number): string | undefined {
  return placeOf(descriptor) === undefined ? undefined : `/proc/self/fd/${descriptor}`;
}

/** Whether a place is a path, or was until something else was put there. */
export function isPlace(place: string, realPath: string): boolean {
  return place === realPath || place === `${realPath} (deleted)`;
}

/** As `OpenedFile.isAt`, for threads that may wait. */
export function isOpenAt(descriptor: number, realPath: string, platform?: NodeJS.Platform): boolean {
  const place = placeOf(descriptor, platform);
  if (place !== undefined) {
    return isPlace(place, realPath);
  }
  const opened = fstatSync(descriptor, { bigint: true });
  for (let look = 1; look <= LOOKS; look += 1) {
    const there = statSync(realPath, { bigint: true });
    if (opened.dev !== there.dev || opened.ino !== there.ino || realpathSync.native(realPath) !== realPath) {
      return false;
    }
  }
  return true;
}
