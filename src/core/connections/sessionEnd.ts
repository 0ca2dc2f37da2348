import type { PorticoError } from '../../base/errors';

/** What differs between a process and a remote endpoint. */
export interface SessionEnd {
  readonly pid: number | undefined;
  /** Why the transport ended, once it has. */
  reason(): PorticoError | undefined;
  /** Puts a transport's failure of one request into words; nothing where it has none to add. */
  translate(error: unknown): Error | undefined;
  isLost(error: unknown): boolean;
  /** Whether this failure means that nobody answers any more, so that the session is over. */
  isDown(error: unknown): error is PorticoError;
  /** What a request that ran out of time should mention. */
  hint(): string | undefined;
  close(lost: boolean): Promise<void>;
}
