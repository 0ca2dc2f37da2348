// What is fetched from outside is kept in one folder of the person, so that the next run has it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Downloads shared by all runs of this person: `PORTICO_CACHE`, or a folder of the person's cache directory. */
export function cacheFolder() {
  const folder = resolve(process.env.PORTICO_CACHE || join(personCache(), 'portico-test'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

function personCache() {
  if (process.platform === 'win32' && process.env.LOCALAPPDATA) {
    return process.env.LOCALAPPDATA;
  }
  if (process.platform === 'darwin') {
    return join(homedir(), 'Library', 'Caches');
  }
  // XDG Base Directory Specification: an empty or relative path counts as none.
  const given = process.env.XDG_CACHE_HOME ?? '';
  return isAbsolute(given) ? given : join(homedir(), '.cache');
}

/**
 * The folder `name` of the cache; whoever asks first fills it by `make`, others wait. A half made one is made anew.
 * @param {string} name
 * @param {(folder: string) => Promise<void>} make
 */
export async function provideOnce(name, make) {
  const folder = join(cacheFolder(), name);
  if (!existsSync(folder)) {
    await withLock(`${folder}.lock`, async () => {
      if (!existsSync(folder)) {
        const unfinished = `${folder}.unfinished`;
        rmSync(unfinished, { recursive: true, force: true });
        mkdirSync(unfinished);
        await make(unfinished);
        renameSync(unfinished, folder);
      }
    });
  }
  return folder;
}

/** One process at a time; the lock of a dead process is taken over. */
async function withLock(lock, run) {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        throw error;
      }
      if (isAbandoned(lock)) {
        rmSync(lock, { recursive: true, force: true });
      } else {
        await delay(500);
      }
    }
  }
  try {
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return await run();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isAbandoned(lock) {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    // Between making the folder and writing the file there is a moment without a pid.
    return (
      error.code === 'ESRCH' ||
      (error.code === 'ENOENT' && existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 5000)
    );
  }
}
