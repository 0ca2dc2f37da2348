import type { Server } from '@modelcontextprotocol/server';
import type { Disposable } from '../../base/disposable';
import type { AgentClient } from '../serverTypes';

/** What an endpoint serves. One object for all its clients, sessions and both eras. */
export interface EndpointOffers {
  /**
   * A new SDK server with all handlers: one per session, or one per request in the stateless era. The endpoint itself
   * adds `resources/subscribe` and `resources/unsubscribe` where there is `watch` and the capability is declared.
   */
  createServer(client: AgentClient): Server;
  /** Resources that clients can subscribe to; absent where there are none. */
  readonly watched?: WatchedResources;
}

export interface WatchedResources {
  /** Calls back whenever the content may have changed, until disposed. Rejects where there is no such resource for this client. */
  watch(uri: string, client: AgentClient, changed: () => void): Promise<Disposable>;
  /** Text that is the same for the same content: a change that leaves it as it was told is not told again. */
  fingerprint?(uri: string, client: AgentClient): Promise<string>;
}

/** Tells all clients, of both eras, what has changed. Bursts are the caller's to gather, but for `updated`. */
export interface ChangeNotices {
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
}
