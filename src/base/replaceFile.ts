import { randomBytes } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';

/** Replaces a file in one step, so that nobody ever reads half of it. Its mode is as given, whatever the umask. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`;
  // Nobody else may read it before the mode is decided.
  const file = await open(fresh, 'wx', 0o600);
  try {
    try {
      await file.writeFile(text);
      await file.chmod(mode);
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await unlink(fresh).catch(() => undefined);
    throw error;
  }
}
