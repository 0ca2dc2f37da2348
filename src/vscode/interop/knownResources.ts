import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';

/** One of the contents of a read, in the order in which they came. */
export interface ResourcePart {
  /** The part's own URI, which need not be the resource's. */
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: boolean;
  /** In bytes. */
  readonly size: number;
}

export interface KnownResource {
  /** What the last read brought; absent where the resource has not been read. */
  readonly parts?: readonly ResourcePart[];
  /** When other contents last came because the server said so while it was open, in milliseconds since the epoch. */
  readonly updatedAt?: number;
}

export interface ResourceKey {
  readonly server: string;
  readonly uri: string;
}

const most = 2_000;

/** What reading resources has shown of them that no list says; the documents write it, the tree reads it. */
export class KnownResources implements Disposable {
  private readonly known = new Map<string, KnownResource>();
  private readonly changes = new Emitter<ResourceKey>();
  readonly onDidChange = this.changes.event;

  of(key: ResourceKey): KnownResource | undefined {
    return this.known.get(resourceKey(key));
  }

  add(key: ResourceKey, news: KnownResource): void {
    const name = resourceKey(key);
    const known = { ...this.known.get(name), ...news };
    this.known.delete(name);
    this.known.set(name, known);
    const [oldest] = this.known.keys();
    if (this.known.size > most && oldest !== undefined) {
      this.known.delete(oldest);
    }
    this.changes.fire({ server: key.server, uri: key.uri });
  }

  /** How many of a server's resources were updated since a time, in milliseconds since the epoch. */
  updatedSince(server: string, since: number): number {
    const start = `${JSON.stringify([server]).slice(0, -1)},`;
    return [...this.known].filter(([name, { updatedAt = 0 }]) => updatedAt >= since && name.startsWith(start)).length;
  }

  dispose(): void {
    this.changes.dispose();
  }
}

/** One text for one resource of one server. */
export function resourceKey({ server, uri }: ResourceKey): string {
  return JSON.stringify([server, uri]);
}
