import { stat } from 'node:fs/promises';
import { type Clock, systemClock } from '../../base/clock';

export type IsDirectory = (path: string) => Promise<boolean>;

const isDirectoryOnDisk: IsDirectory = async (path) => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Not there, or out of reach: a server could do nothing with it either.
    return false;
  }
};

/**
 * Whether there is a directory at a path. One that does not answer within a second (a share that is gone) counts as
 * absent, and is not asked again while the question is open: such questions would use up all of Node's threads.
 */
export function boundedPresence(
  isDirectory: IsDirectory = isDirectoryOnDisk,
  clock: Clock = systemClock,
  boundMs = 1_000,
): IsDirectory {
  const open = new Map<string, Promise<boolean>>();
  return async (path) => {
    const answer = open.get(path) ?? isDirectory(path).finally(() => open.delete(path));
    open.set(path, answer);
    return new Promise((resolve, reject) => {
      const timer = clock.after(boundMs, () => resolve(false));
      answer.then(resolve, reject).finally(() => timer.dispose());
    });
  };
}
