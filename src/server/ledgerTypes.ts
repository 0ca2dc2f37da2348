import type { AgentClient } from './serverTypes';

/** How many lines a read ledger keeps. */
export const maxLedgerEntries = 2_000;

/** A line of the read ledger: what a client was given. Sizes in bytes. */
export interface LedgerEntry {
  /** Of no other entry in the list. */
  readonly id: number;
  readonly at: number;
  /** The client's label, and what its program calls itself. */
  readonly client: string;
  readonly program: string | undefined;
  readonly kind: 'resource' | 'tool' | 'prompt';
  /** A URI, or the name of a tool or prompt. */
  readonly what: string;
  /** The file that a tool or prompt was asked about, as the client named it. */
  readonly file?: string | undefined;
  /** What part of it, such as `lines 10-20`. */
  readonly part: string | undefined;
  readonly bytes: number;
  readonly outcome: 'given' | 'refused' | 'failed';
}

/** What is asked for. */
export type Asked = Pick<LedgerEntry, 'kind' | 'what' | 'file' | 'part'>;

/** Who asks: the client, and what its program calls itself. */
export interface LedgerReader {
  readonly client: AgentClient;
  readonly program: string | undefined;
}
