import type { Problem } from '../../base/errors';

/** A call that goes on at the server while nobody waits for it (2025-11-25 basic/utilities/tasks; io.modelcontextprotocol/tasks). */
export interface ServerTask {
  /** The server's id and the task's, which is opaque. */
  readonly server: string;
  readonly id: string;
  readonly tool: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Milliseconds that the server keeps it; nothing where it does not end. */
  readonly ttlMs?: number;
  /** The call in the call log that began it. */
  readonly call?: string;
  readonly problem?: Problem;
}
