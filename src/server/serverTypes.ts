import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Event } from '../base/emitter';

export interface LoopbackAddress {
  readonly kind: 'tcp';
  readonly host: '127.0.0.1';
  readonly port: number;
}

/** Where the listener can be reached. A socket or pipe is reached with `Host: localhost`. */
export type ListenerAddress = { readonly kind: 'socket' | 'pipe'; readonly path: string } | LoopbackAddress;

/** A program that a person lets in; each has a token of its own. */
export interface AgentClient {
  /** Stable, such as `claude-code`; `editor` for the editor's own chat. */
  readonly id: string;
  /** What the person knows it as. */
  readonly label: string;
}

/** Who may ask. Tokens are 256 random bits; comparing takes the same time whatever was given. */
export interface ClientRegistry {
  identify(token: string): AgentClient | undefined;
  /** The id of a client that is no longer let in; what it has open ends at once. */
  readonly onDidRevoke: Event<string>;
}

/** A request that has passed Host, Origin, token, method and size; `body` is there for POST alone. */
export interface RouteRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What follows the route's prefix in the path, still percent-encoded, without the query. */
  readonly rest: string;
  readonly body: string | undefined;
  readonly client: AgentClient;
}

export interface Route {
  /** A whole path such as `/editor`, or with a slash at its end all paths that begin so, such as `/gateway/`. */
  readonly prefix: string;
  readonly methods: readonly string[];
  /** Answers the request; a rejection is logged and answered with 500. */
  handle(request: RouteRequest): Promise<void>;
  /** Forgets what it keeps for a client that is no longer let in; the listener ends its connections. */
  endClient?(id: string): void;
}

/** What a request must fit before any route sees it; times in milliseconds, sizes in bytes. */
export interface ListenerLimits {
  readonly bodyBytes: number;
  /** Until the headers are there. */
  readonly headersMs: number;
  /** Until the whole request is there. */
  readonly requestMs: number;
  /** How often the two times above are looked at. */
  readonly checkMs: number;
  /** Requests of one client: so many at once, and so many per second in the long run. */
  readonly burst: number;
  readonly perSecond: number;
}
