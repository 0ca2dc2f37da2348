import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Event } from '../base/emitter';

export interface LoopbackAddress {
  readonly kind: 'tcp';
  readonly host: '127.0.0.1';
  readonly port: number;
}

/** Where the listener can be reached. A socket or pipe is reached with `Host: localhost`. */
export type ListenerAddress = { readonly kind: 'socket' | 'pipe'; readonly path: string } | LoopbackAddress;

/** Where a window's listener is, or will be. */
export interface LocalAddress {
  readonly kind: 'socket' | 'pipe';
  readonly path: string;
  /** The directory that holds the socket and must be private; pipes have none. */
  readonly directory: string | undefined;
}

/** A program that a person lets in; each has a token of its own. */
export interface AgentClient {
  /** Stable, such as `claude-code`; `editor` for the editor's own chat. */
  readonly id: string;
  /** What the person knows it as. */
  readonly label: string;
}

/** Who may ask. Tokens are 256 random bits; comparing takes the same time whatever was given. */
export interface ClientRegistry {
  /** By the SHA-256 of the token that it gave. */
  identify(digest: Buffer): AgentClient | undefined;
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
  /** False while so much waits to be read by the client that nothing large may be added. Asked right before each writing. */
  hasRoom(): boolean;
  /** Has what is made of the answer, and not written yet, count as what waits to be read: so many bytes of it by now. */
  keeps(bytes: number): void;
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

/** As much may be in the body of one request, in bytes. */
export const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

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
  /** Bodies of one client's requests that come in or are not answered yet. */
  readonly unansweredBytes: number;
  /** Answers of one client that wait to be read. */
  readonly waitingBytes: number;
}
