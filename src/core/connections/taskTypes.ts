import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Problem } from '../../base/errors';
import type { RequestOptions } from './connectionTypes';
import type { Session } from './sessionTypes';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A call that goes on at the server beyond its request (2025-11-25 basic/utilities/tasks; io.modelcontextprotocol/tasks). */
export interface ServerTask {
  /** The id of the server in the configuration, and the server's own for the task, which is opaque. */
  readonly server: string;
  readonly id: string;
  readonly tool: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Milliseconds that the server keeps it; nothing where it does not end. */
  readonly ttlMs?: number;
  /** The call in the call log that began it. */
  readonly call?: string;
  /** Nobody waits for it any more: its result is delivered when it comes. */
  readonly background: boolean;
  /** Once it has failed or was cancelled: why. */
  readonly problem?: Problem;
}

/** A result of `tools/call` that is a task, and the session in which it came. */
export interface TaskStart {
  /** The id of the server in the configuration. */
  readonly server: string;
  readonly tool: string;
  readonly session: Session;
  readonly created: Readonly<Record<string, unknown>>;
}

/** Takes over calls that their server has made tasks. */
export interface TaskDesk {
  /**
   * Settles with the result of the call. The signal of the options cancels the task. Rejects with TASK_LOST where the
   * server no longer knows it, CANCELLED, REPLY_INVALID, CONNECTION_LOST, or the error that the call itself would have got.
   */
  follow(start: TaskStart, options: RequestOptions): Promise<CallToolResult>;
}
