import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jsonBuffers } from '../../base/jsonPieces';

const MOST_BYTES = 16 * 1_048_576;

/** Writes a value into a file in one step, unless it is too long to be worth it; the oldest in its folder go beyond the bound. */
export async function keepJson(path: string, value: object, mostFiles: number): Promise<void> {
  const content: Buffer[] = [];
  let length = 0;
  for await (const piece of jsonBuffers(value)) {
    content.push(piece);
    length += piece.length;
    if (length > MOST_BYTES) {
      await rm(path, { force: true });
      return;
    }
  }
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const fresh = join(folder, `${randomUUID()}.tmp`);
  await writeFile(fresh, content);
  await rename(fresh, path);
  await prune(folder, mostFiles);
}

async function prune(folder: string, mostFiles: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= mostFiles) {
    return;
  }
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const oldest = files.sort((a, b) => a.time - b.time).slice(0, files.length - mostFiles);
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })));
}
