import type { ReadonlySignal } from '@preact/signals-core';
import type { LedgerEntry } from '../../server/ledgerTypes';
import type { AgentClient } from '../../server/serverTypes';

export type SharingState =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'on';
      /** The program that agents start, for all windows: `node LAUNCHER --editor --client ID`. */
      readonly launcher: string;
      /** Of this window, as PORTICO_WINDOW and `--window` name it. */
      readonly window: string;
    };

/** How an agent reaches this window without the bridge. */
export interface UrlReach {
  /** Such as `http://127.0.0.1:4711`; below it are `/editor` and `/gateway`. */
  readonly origin: string;
  readonly token: string;
}

/** Sharing of this window with the agents of the machine, for the surfaces that show or change it. */
export interface Sharing {
  readonly state: ReadonlySignal<SharingState>;
  /** The agents that are there now. */
  readonly present: ReadonlySignal<readonly AgentClient[]>;
  /** What agents were given since the window opened, the newest first. */
  readonly ledger: ReadonlySignal<readonly LedgerEntry[]>;
  /**
   * Shares unless it does already; the person is asked once on this machine. Rejects with RESTRICTED_MODE,
   * LISTENER_FAILED, or CANCELLED where the person does not agree.
   */
  start(): Promise<SharingState & { readonly kind: 'on' }>;
  /** Ends sharing in all windows, until somebody starts it again. */
  stop(): Promise<void>;
  /** Lets an agent in by a port and a token, the one that it has where it has one. Rejects as `start`. */
  letInByUrl(client: AgentClient): Promise<UrlReach>;
  clearLedger(): void;
}
