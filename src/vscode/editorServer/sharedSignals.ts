import type { Signal } from '@preact/signals-core';
import type { NewestList } from '../../base/newestList';
import type { LedgerEntry } from '../../server/ledgerTypes';
import type { AgentClient } from '../../server/serverTypes';
import type { SharingState } from '../interop/sharing';

/** What sharing writes and everybody reads. */
export interface SharedSignals {
  readonly state: Signal<SharingState>;
  readonly present: Signal<readonly AgentClient[]>;
  readonly reads: NewestList<LedgerEntry>;
}
