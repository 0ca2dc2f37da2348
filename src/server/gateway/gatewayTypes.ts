import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/log';
import type { RequestOptions, ServerLists } from '../../core/connections/connectionTypes';
import type { Hub, ServerView } from '../../core/hubTypes';

export interface EndpointPorts {
  readonly hub: Hub;
  readonly log: Logger;
  readonly clock: Clock;
  /** Whether the person believes this server's annotations. Tracked where it reads a signal. */
  isTrusted(view: ServerView): boolean;
}

/** An endpoint as its handlers see it. */
export interface EndpointContext {
  readonly view: ServerView;
  readonly ports: EndpointPorts;
  /** The lists as they are known, after a short wait at most. */
  lists(): Promise<ServerLists>;
  /**
   * Runs a request of the chat's client with what it brought along; that client answers what the request leads to.
   * Progress is on its way before the result is.
   */
  relay<T>(server: Server, context: ServerContext, run: (options: RequestOptions) => Promise<T>): Promise<T>;
}
