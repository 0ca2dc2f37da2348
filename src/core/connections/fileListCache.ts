import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CachedServer, ListCache, ServerList } from './connectionTypes';

const FORMAT = 1;
const MOST_FILES = 200;

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
    const { keepFile } = await import('./keepFile');
    await keepFile(this.file(digest), JSON.stringify({ format: FORMAT, ...value }), this.mostFiles);
  }
}
