import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock';
import type { Logger } from '../../../base/log';
import type { AuthSettings, ServerDefinition } from '../../config/configTypes';
import type { NetworkSettings } from '../remote/networkTypes';
import type { AccountStore } from './accountStore';
import type { AuthPorts } from './authTypes';
import type { Challenge } from './challenge';
import type { Discovered } from './discovery';
import type { FileLock } from './fileLock';

export interface ServerAuthDependencies {
  readonly ports: AuthPorts;
  readonly lock: FileLock;
  readonly clock: Clock;
  readonly log: Logger;
  /** The environment's alone when absent. */
  readonly network?: NetworkSettings;
}

/** One entry of a server over HTTP, for all that takes part in its sign-in. */
export interface AuthEntry {
  readonly definition: ServerDefinition;
  readonly serverUrl: URL;
  readonly settings: AuthSettings;
  /** An entry with a token of its own is not signed in. */
  readonly hasOwnHeader: boolean;
  readonly store: AccountStore;
  /** The fetch of the sign-in: to addresses that are allowed there alone. */
  readonly fetch: FetchLike;
  readonly dependencies: ServerAuthDependencies;
  discover(challenge: Challenge | undefined, preferred?: string, signal?: AbortSignal): Promise<Discovered>;
}

/** Where the tokens of an entry come from. */
export interface TokenSource {
  /** What can be sent at the moment; nothing where there is none yet. `challenge` is the last one that came. */
  current(challenge: Challenge | undefined): Promise<string | undefined>;
  /** One that may do after `used` was refused. Rejects where a person must act, or nothing helps. `signal`: of who waits. */
  renew(challenge: Challenge, used: string | undefined, signal?: AbortSignal): Promise<string>;
}
