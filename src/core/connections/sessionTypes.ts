import type { Implementation } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock';
import type { PorticoError } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { ServerDefinition } from '../config/configTypes';
import type { ConnectionTuning } from './connectionTuning';
import type {
  ClientFeature,
  ConnectionLimits,
  EraMemory,
  ListKind,
  ReadyInfo,
  RequestOptions,
} from './connectionTypes';
import type { WantedResources } from './wantedResources';

/** What a session is opened with. */
export interface SessionContext {
  readonly server: ServerDefinition;
  readonly clientInfo: Implementation;
  readonly features: readonly ClientFeature[];
  readonly limits: ConnectionLimits;
  readonly eras: EraMemory;
  readonly wanted: WantedResources;
  readonly tuning: ConnectionTuning;
  readonly log: Logger;
  readonly clock: Clock;
  /** Aborts the opening with the reason to reject with. */
  readonly signal: AbortSignal;
  onStage(stage: 'launching' | 'connecting'): void;
  /** What a failed row shows in its tooltip: the last lines of stderr. */
  onDetail(lines: readonly string[]): void;
  onListChanged(kinds: readonly ListKind[]): void;
  onResourceUpdated(uri: string): void;
  /** The server has forgotten the session, as a request showed that nobody else waits for. */
  onLost(error: unknown): void;
}

/** One handshaken conversation with a server, from its ready to its end. */
export interface Session {
  readonly info: ReadyInfo;
  readonly pid: number | undefined;
  /** Why it ended, once it has. */
  readonly endReason: PorticoError | undefined;
  /** Settles at the end, whoever caused it. */
  readonly ended: Promise<PorticoError>;
  /** Sends one request; the result comes as it was sent. Wire errors stay the SDK's; the rest are PorticoErrors. */
  request(method: string, params: Readonly<Record<string, unknown>>, options: RequestOptions): Promise<unknown>;
  /** Whether this failure of a request means that the server has forgotten the session. */
  isLost(error: unknown): boolean;
  /** Settles when the process tree or the remote session is gone. `lost`: there is no remote session to end any more. `reason`: why. */
  close(lost?: boolean, reason?: PorticoError): Promise<void>;
}
