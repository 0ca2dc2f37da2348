import { effect } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Hub, ServerView } from '../../core/hubTypes';
import { type ResourceKey, resourceKey } from '../interop/knownResources';

interface OpenResource extends ResourceKey {
  /** The entry that it is subscribed at; another of the same id is another server. */
  view?: ServerView | undefined;
  subscription?: Disposable | undefined;
}

/** The resources that tabs show, whichever of their parts. Each is subscribed while it is open. */
export class OpenResources implements Disposable {
  private readonly store = new DisposableStore();
  private readonly open = new Map<string, OpenResource>();

  constructor(
    private readonly hub: Pick<Hub, 'servers' | 'subscribe'>,
    private readonly closed: (key: ResourceKey) => void,
  ) {
    // An entry may come and go while its resources stay open.
    this.store.defer(
      effect(() => {
        const views = hub.servers.value;
        this.open.forEach((one) => this.subscribe(one, views));
      }),
    );
  }

  has(key: ResourceKey): boolean {
    return this.open.has(resourceKey(key));
  }

  keys(): readonly ResourceKey[] {
    return [...this.open.values()];
  }

  /** Takes what is open now, duplicates allowed. */
  show(now: readonly ResourceKey[]): void {
    const next = new Map(now.map((key) => [resourceKey(key), key]));
    for (const [name, { server, uri, subscription }] of this.open) {
      if (!next.has(name)) {
        this.open.delete(name);
        subscription?.dispose();
        this.closed({ server, uri });
      }
    }
    const views = this.hub.servers.peek();
    for (const [name, { server, uri }] of next) {
      if (!this.open.has(name)) {
        const opened = { server, uri };
        this.open.set(name, opened);
        this.subscribe(opened, views);
      }
    }
  }

  dispose(): void {
    this.store.dispose();
    this.open.forEach(({ subscription }) => subscription?.dispose());
    this.open.clear();
  }

  private subscribe(one: OpenResource, views: readonly ServerView[]): void {
    const view = views.find(({ id }) => id === one.server);
    if (view !== one.view) {
      one.subscription?.dispose();
      one.view = view;
      one.subscription = view && this.hub.subscribe(one.server, one.uri);
    }
  }
}
