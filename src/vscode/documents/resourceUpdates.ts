import { effect } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Hub } from '../../core/hubTypes';
import { type KnownResources, type ResourceKey, resourceKey } from '../interop/knownResources';
import type { OpenResources } from './openResources';
import type { ResourceReader } from './resourceReader';

/** The least time between the reads that a server causes by its updates, in milliseconds. */
const leastGapMs = 300;

/**
 * Reads what is open again when its server says that it changed, and what could not be read once its server is ready:
 * for each resource one read at a time, however many updates come meanwhile.
 */
export class ResourceUpdates implements Disposable {
  private readonly store = new DisposableStore();
  /** By resource; true where another update has come since its read began. */
  private readonly reading = new Map<string, boolean>();
  private ready: ReadonlySet<string> = new Set();

  constructor(
    hub: Pick<Hub, 'servers' | 'onDidUpdateResource'>,
    private readonly open: OpenResources,
    private readonly reader: ResourceReader,
    private readonly known: KnownResources,
    private readonly clock: Clock,
  ) {
    this.store.add(hub.onDidUpdateResource(({ server, uri }) => this.updated({ server, uri })));
    this.store.defer(
      effect(() => {
        const ready = hub.servers.value.filter(({ status }) => status.value.kind === 'ready').map(({ id }) => id);
        this.nowReady(new Set(ready));
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
    this.reading.clear();
  }

  private updated(update: ResourceKey): void {
    // The server may have been asked for it by another; nobody tells when it changes again.
    if (!this.open.has(update)) {
      this.reader.forget(update);
    }
    for (const key of this.open.keys()) {
      if (key.server === update.server && isWithin(update.uri, key.uri)) {
        void this.readAgain(key);
      }
    }
  }

  private nowReady(ready: ReadonlySet<string>): void {
    const before = this.ready;
    this.ready = ready;
    for (const key of this.open.keys()) {
      if (ready.has(key.server) && !before.has(key.server) && this.reader.kept(key)?.problem) {
        void this.readAgain(key);
      }
    }
  }

  private async readAgain(key: ResourceKey): Promise<void> {
    const name = resourceKey(key);
    const under = this.reading.has(name);
    this.reading.set(name, under);
    if (under) {
      return;
    }
    // A read under way may have begun before the change.
    await this.reader.idle(key);
    this.reading.set(name, false);
    const before = this.reader.kept(key);
    if (this.open.has(key) && before && !this.store.isDisposed) {
      const { contents } = await this.reader.outcome(key);
      // A server that came back tells of all that is subscribed to, whether it changed or not.
      if (before.contents && contents !== before.contents) {
        this.known.add(key, { updatedAt: this.clock.now() });
      }
    }
    const pause = this.store.add(
      this.clock.after(leastGapMs, () => {
        this.store.release(pause);
        const again = this.reading.get(name) === true;
        this.reading.delete(name);
        if (again) {
          void this.readAgain(key);
        }
      }),
    );
  }
}

/** An update may name a part of what was subscribed to (spec: `notifications/resources/updated`). */
function isWithin(uri: string, subscribed: string): boolean {
  return (
    uri === subscribed ||
    (uri.startsWith(subscribed) && (/[/?#]$/.test(subscribed) || /^[/?#]/.test(uri.slice(subscribed.length))))
  );
}
