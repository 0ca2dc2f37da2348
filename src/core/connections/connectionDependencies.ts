import type { Implementation, LoggingLevel } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/log';
import type { Limiter } from '../../base/sequencer';
import type { ConnectionAuth } from './auth/authTypes';
import type { ConnectionTuning } from './connectionTuning';
import type {
  ClientFeature,
  ConnectionLimits,
  EraMemory,
  LaunchResolver,
  ListCache,
  StartGate,
} from './connectionTypes';
import type { NetworkSettings } from './remote/networkTypes';
import type { TaskDesk } from './taskTypes';
import type { Trees } from './treeTypes';
import type { WantedResources } from './wantedResources';

/** What a connection needs from the house. */
export interface ConnectionDependencies {
  readonly resolve: LaunchResolver;
  readonly gate: StartGate;
  readonly features: readonly ClientFeature[];
  readonly cache: ListCache;
  readonly eras: EraMemory;
  /** The resources whose updates are wanted at the moment. */
  readonly wanted: WantedResources;
  /** How important what servers write into their logs must be; left to them when absent. */
  readonly logLevel?: ReadonlySignal<LoggingLevel>;
  readonly limits: ConnectionLimits;
  /** How requests leave this machine; by the environment alone when absent. */
  readonly network?: NetworkSettings;
  /** Signing in to servers over HTTP; those that want it fail where it is absent. */
  readonly auth?: () => Promise<ConnectionAuth>;
  /** Takes over calls that become tasks; none is asked to become one where it is absent. */
  readonly tasks?: TaskDesk;
  /** Where process trees are remembered beyond the life of this host; nowhere when absent. */
  readonly trees?: () => Promise<Trees>;
  /** Shared by all connections: bounds how many start at the same time. */
  readonly starts: Limiter;
  readonly log: Logger;
  readonly clock: Clock;
  readonly clientInfo: Implementation;
  /** Tests set what they must not wait for. */
  readonly tuning?: Partial<ConnectionTuning>;
}
