import type { KeyValueStore } from '../../base/storage';
import type { Era, EraMemory } from './connectionTypes';

const KEY = 'portico.eras';
const MOST = 500;

/** Eras by `launchDigest` in a small store; the oldest are forgotten beyond the bound. */
export class StoredEraMemory implements EraMemory {
  private readonly eras: Map<string, Era>;

  constructor(private readonly store: KeyValueStore) {
    const stored = store.get<Record<string, unknown>>(KEY) ?? {};
    this.eras = new Map(
      Object.entries(stored).filter(
        (entry): entry is [string, Era] => entry[1] === 'session' || entry[1] === 'stateless',
      ),
    );
  }

  get(digest: string): Era | undefined {
    return this.eras.get(digest);
  }

  set(digest: string, era: Era | undefined): void {
    if (this.eras.get(digest) === era) {
      return;
    }
    this.eras.delete(digest);
    if (era !== undefined) {
      this.eras.set(digest, era);
    }
    for (const oldest of [...this.eras.keys()].slice(0, Math.max(0, this.eras.size - MOST))) {
      this.eras.delete(oldest);
    }
    // A lost write costs one probe at the next start.
    this.store.set(KEY, Object.fromEntries(this.eras)).catch(() => undefined);
  }
}
