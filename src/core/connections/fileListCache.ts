import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CachedServer, ListCache, ServerList } from './connectionTypes';

const FORMAT = 1;
const MOST_FILES = 200;
const MOST_BYTES = 16 * 1_048_576;

function isList(value: unknown): value is ServerList<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'items' in value &&
    Array.isArray(value.items) &&
    'setAside' in value &&
    Array.isArray(value.setAside)
  );
}

function isCachedServer(value: unknown): value is CachedServer & { readonly format: number } {
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT) {
    return false;
  }
  const { info, lists } = value as { info?: unknown; lists?: unknown };
  if (typeof info !== 'object' || info === null || !('capabilities' in info) || typeof lists !== 'object' || !lists) {
    return false;
  }
  return ['tools', 'resources', 'templates', 'prompts'].every((kind) =>
    isList((lists as Record<string, unknown>)[kind]),
  );
}

/** One JSON file per digest. A file that cannot be used counts as absent; the oldest go beyond the bound. */
export class FileListCache implements ListCache {
  constructor(
    private readonly folder: string,
    private readonly mostFiles = MOST_FILES,
  ) {}

  private file(digest: string): string {
    return join(this.folder, `${createHash('sha256').update(digest).digest('hex').slice(0, 40)}.json`);
  }

  async read(digest: string): Promise<CachedServer | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(this.file(digest), 'utf8'));
      return isCachedServer(value) ? { info: value.info, lists: value.lists } : undefined;
    } catch {
      // Absent or corrupt: the server's own lists replace it at the next start.
      return undefined;
    }
  }

  async write(digest: string, value: CachedServer): Promise<void> {
    const text = JSON.stringify({ format: FORMAT, ...value });
    if (text.length > MOST_BYTES) {
      await rm(this.file(digest), { force: true });
      return;
    }
    await mkdir(this.folder, { recursive: true });
    const fresh = join(this.folder, `${randomUUID()}.tmp`);
    await writeFile(fresh, text);
    await rename(fresh, this.file(digest));
    await this.prune();
  }

  private async prune(): Promise<void> {
    const names = await readdir(this.folder);
    if (names.length <= this.mostFiles) {
      return;
    }
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    const oldest = files.sort((a, b) => a.time - b.time).slice(0, files.length - this.mostFiles);
    await Promise.all(oldest.map(({ path }) => rm(path, { force: true })));
  }
}
