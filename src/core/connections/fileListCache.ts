import { createHash } from 'node:crypto';
import { readFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CachedServer, ListCache } from './connectionTypes';

const FORMAT = 1;
const MOST_FILES = 200;
/** By callbacks, which takes two thirds of the time that `node:fs/promises` does: there is a file for each server at once. */
const readWhole = promisify(readFile);
/** A file above this many bytes is parsed while everything else goes on. */
const LONG = 262_144;

async function readLong(bytes: Buffer): Promise<unknown> {
  const [{ parseInSlices }, { depthBound }] = await Promise.all([
    import('../../base/slicedJson'),
    import('./withinDepth'),
  ]);
  return parseInSlices(bytes, depthBound);
}

/** One JSON file per digest. A file that cannot be used counts as absent; the oldest go beyond the bound. */
export class FileListCache implements ListCache {
  /** On its way while the config is read: when there are servers, their files are read next. */
  private readonly reader = import('./readCached');

  constructor(
    private readonly folder: string,
    private readonly mostFiles = MOST_FILES,
  ) {}

  private file(digest: string): string {
    return join(this.folder, `${createHash('sha256').update(digest).digest('hex').slice(0, 40)}.json`);
  }

  async read(digest: string): Promise<CachedServer | undefined> {
    try {
      const bytes = await readWhole(this.file(digest));
      const value = bytes.length > LONG ? await readLong(bytes) : (JSON.parse(bytes.toString()) as unknown);
      return await (await this.reader).readCached(value, FORMAT);
    } catch {
      // Absent or corrupt: the server's own lists replace it at the next start.
      return undefined;
    }
  }

  async write(digest: string, value: CachedServer): Promise<void> {
    const { keepJson } = await import('./keepJson');
    await keepJson(this.file(digest), { format: FORMAT, ...value }, this.mostFiles);
  }
}
