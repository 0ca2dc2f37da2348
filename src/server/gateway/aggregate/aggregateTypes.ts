import type { Clock } from '../../../base/clock';
import type { Logger } from '../../../base/log';
import type { Hub, ServerView } from '../../../core/hubTypes';
import type { ReadLedger } from '../../readLedger';
import type { AgentClient } from '../../serverTypes';

export interface AggregatePorts {
  readonly hub: Hub;
  readonly log: Logger;
  readonly clock: Clock;
  /** Takes down what is read and which prompts are fetched; calls are on the hub's record. */
  readonly ledger: ReadLedger;
  /** Portico's own version. */
  readonly version: string;
  /** Which servers agents are given; tracked where it reads signals. */
  isShared(view: ServerView): boolean;
  /** Whether this agent may use a shared server. Tracked where it reads signals. */
  mayUse(client: AgentClient, view: ServerView): boolean;
  /** Whether the person believes this server's annotations. Tracked where it reads a signal. */
  isTrusted(view: ServerView): boolean;
}

/** The servers that a client sees, and how it names them. */
export interface SharedServers {
  /** In config order. */
  all(): readonly ServerView[];
  /** The same for a list: what was never seen is started first, and waited for a second at most. */
  listed(): Promise<readonly ServerView[]>;
  /** The name in URIs and prompts: the entry's key, or the whole identity where two entries have one key. */
  nameOf(view: ServerView): string;
  byName(name: string): ServerView | undefined;
}
