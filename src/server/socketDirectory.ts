import { chmod, lstat, mkdir, readdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PorticoError } from '../base/errors';

/** Makes the directory with access for its owner alone, and refuses one that somebody else has laid out. */
export async function makePrivateDirectory(directory: string, uid: number | undefined): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const found = await lstat(directory);
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw new PorticoError(
      'LISTENER_FAILED',
      `${directory} belongs to another user. Remove it, or let TMPDIR or PORTICO_HOME name a folder of your own.`,
    );
  }
  if ((found.mode & 0o077) !== 0) {
    await chmod(directory, 0o700);
  }
}

/** Removes the sockets that dead processes left behind: nobody answers on them. */
export async function removeStaleSockets(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sock'));
  await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      if (!(await answers(path))) {
        // Another window may have removed it in the meantime.
        await unlink(path).catch(ignoreMissing);
      }
    }),
  );
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
  });
}

export function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
    throw error;
  }
}
