import type { ListenerAddress } from '../serverTypes';

export interface RecordedFolder {
  readonly name: string;
  /** Of the file system where the window's extensions run. */
  readonly path: string;
  readonly uri: string;
}

/** What a window tells bridges and agents of itself. Times in milliseconds since the epoch. */
export interface WindowRecord {
  /** Of this shape. */
  readonly version: 1;
  /** Of the window; the value of PORTICO_WINDOW in its terminals. The same after a reload where that can be. */
  readonly id: string;
  readonly pid: number;
  /** Name of the machine or container, as one home may be shared by several. */
  readonly machine: string;
  readonly host: 'local' | 'wsl' | 'ssh' | 'container';
  readonly address: ListenerAddress;
  /** For bridges: 256 random bits. */
  readonly token: string;
  /** For bridges that are started by an agent known by name: tokens by the agent's id. */
  readonly clientTokens: Readonly<Record<string, string>>;
  readonly folders: readonly RecordedFolder[];
  readonly editor: { readonly name: string; readonly version: string };
  readonly isTrusted: boolean;
  readonly startedAt: number;
  readonly lastFocusedAt: number;
  readonly protocolVersions: readonly string[];
}
