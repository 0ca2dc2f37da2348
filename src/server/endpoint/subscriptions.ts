import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { AgentClient } from '../serverTypes';
import type { WatchedResources } from './endpointTypes';

/** A resource is told of no more often than this, in milliseconds: what changes meanwhile is told as one. */
const burstMs = 250;
/** A change that comes after quiet waits only so long for others that belong to it. */
const gatherMs = 100;
/** Resources that one client may watch at a time. */
const maxPerClient = 1_000;

/** What hears of a change once, however often it asked: a session, or all streams of a client together. */
type Channel = object;

/** One resource watched for one client, by all its sessions and streams together. */
interface Watched extends Disposable {
  readonly channels: Map<Channel, { readonly tell: () => void; count: number }>;
}

/**
 * Who wants to hear of which resource. A resource is watched once per client while anybody listens; a change is told
 * once per burst, and only where the content is another than the one last told.
 */
export class Subscriptions implements Disposable {
  private readonly watched = new Map<string, Promise<Watched>>();
  private readonly store = new DisposableStore();

  constructor(
    private readonly resources: WatchedResources,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Calls the channel's `tell` after changes until disposed. Rejects as the watching does, or where it is too many. */
  async add(uri: string, client: AgentClient, channel: Channel, tell: () => void): Promise<Disposable> {
    const key = `${client.id} ${uri}`;
    for (;;) {
      const begun = this.watched.get(key) ?? this.begin(key, uri, client);
      const watched = await begun;
      // It may have ended while it was awaited.
      if (this.watched.get(key) === begun) {
        const entry = watched.channels.get(channel) ?? { tell, count: 0 };
        entry.count += 1;
        watched.channels.set(channel, entry);
        return toDisposable(() => this.leave(key, watched, channel));
      }
    }
  }

  dispose(): void {
    this.watched.clear();
    this.store.dispose();
  }

  private leave(key: string, watched: Watched, channel: Channel): void {
    const entry = watched.channels.get(channel);
    if (entry !== undefined) {
      entry.count -= 1;
      if (entry.count === 0) {
        watched.channels.delete(channel);
      }
    }
    if (watched.channels.size === 0) {
      this.watched.delete(key);
      watched.dispose();
    }
  }

  private begin(key: string, uri: string, client: AgentClient): Promise<Watched> {
    const prefix = `${client.id} `;
    if ([...this.watched.keys()].filter((other) => other.startsWith(prefix)).length >= maxPerClient) {
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        `No more than ${maxPerClient} resources are watched for one client. Unsubscribe from others first.`,
      );
    }
    const begun = this.watch(uri, client);
    this.watched.set(key, begun);
    begun.catch(() => this.watched.delete(key));
    return begun;
  }

  private async watch(uri: string, client: AgentClient): Promise<Watched> {
    const channels: Watched['channels'] = new Map();
    const store = this.store.add(new DisposableStore());
    let timer: Disposable | undefined;
    let told: string | undefined;
    let toldAt = -burstMs;
    const fingerprint = async (): Promise<string | undefined> => this.resources.fingerprint?.(uri, client);
    const tellAll = async (): Promise<void> => {
      const now = await fingerprint().catch(() => undefined);
      if (store.isDisposed || (now !== undefined && now === told)) {
        return;
      }
      told = now;
      toldAt = this.clock.now();
      [...channels.values()].forEach(({ tell }) => tell());
    };
    const changed = (): void => {
      if (store.isDisposed) {
        return;
      }
      timer ??= this.clock.after(Math.max(gatherMs, toldAt + burstMs - this.clock.now()), () => {
        timer = undefined;
        void tellAll().catch((error: unknown) => this.log.error('A change of a resource was not told.', error));
      });
    };
    store.defer(() => timer?.dispose());
    try {
      store.add(await this.resources.watch(uri, client, changed));
    } catch (error) {
      this.store.release(store);
      throw error;
    }
    told = await fingerprint().catch(() => undefined);
    return { channels, dispose: () => this.store.release(store) };
  }
}
