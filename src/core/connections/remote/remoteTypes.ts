import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock';
import type { ResolvedLaunch } from '../../config/configTypes';
import type { NetworkSettings } from './networkTypes';

export type ResolvedRemote = Extract<ResolvedLaunch, { readonly url: string }>;

export interface RemoteDependencies {
  /** The config key that failures name. */
  readonly server: string;
  /** The largest message that is taken, in bytes. */
  readonly messageBytes: number;
  readonly clock: Clock;
  /** The environment's alone when absent. */
  readonly network?: NetworkSettings;
  /** Puts what signs in on what is sent. */
  readonly authorize?: (next: FetchLike) => FetchLike;
}

export interface RemoteTransport extends Transport {
  /** Ends the server's session where there is one; a refusal is ignored, silence is waited for two seconds at most. */
  terminate(): Promise<void>;
  /** What may explain that a request ran out of time. */
  hint?(): string | undefined;
  /** The server refuses the listening stream that it had granted before: what it says unasked is heard no more. */
  onunheard?: (() => void) | undefined;
}
