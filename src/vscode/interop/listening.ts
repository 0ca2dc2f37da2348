import type { ReadonlySignal } from '@preact/signals-core';
import type { Disposable } from '../../base/disposable';
import type { AgentClient, ListenerAddress, LocalAddress, LoopbackAddress, Route } from '../../server/serverTypes';

/** The window's one listener, as the surfaces that publish share it. Its code is loaded with the first of them. */
export interface Listening {
  /** Where it is or will be; starts nothing. */
  planned(): Promise<LocalAddress>;
  /** Listens unless it does already. `token` is of the editor's own chat. Rejects with LISTENER_FAILED. */
  start(): Promise<{ readonly address: ListenerAddress; readonly token: string }>;
  /** A loopback port besides, the preferred one where that can be had. Rejects with LISTENER_FAILED. */
  startLoopback(preferredPort: number): Promise<LoopbackAddress>;
  stopLoopback(): Promise<void>;
  addRoute(route: Route): Promise<Disposable>;
  /** Lets a client in by a token; what was granted under the same name, by default the client's id, ends first. */
  letIn(client: AgentClient, token: string, grant?: string): Promise<void>;
  turnAway(grant: string): Promise<void>;
  /** The clients that are there now, the editor's own chat among them. */
  present(): Promise<ReadonlySignal<readonly AgentClient[]>>;
}
