import { isObject } from '../../../base/jsonObject';
import type { Fields } from '../readEntries';
import type { TaskStatus } from '../taskTypes';

/** What a server says of a task, in either form of the protocol. */
export interface TaskReport {
  readonly id: string;
  readonly status: TaskStatus;
  readonly message?: string;
  /** Milliseconds that the server keeps it, from its creation; nothing where it is kept for good. */
  readonly ttlMs?: number;
  /** How long the server wants to be left alone, in milliseconds. */
  readonly pollMs?: number;
  /** Whole, as it was sent. */
  readonly raw: Fields;
}

const STATUSES: ReadonlySet<unknown> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

function isStatus(value: unknown): value is TaskStatus {
  return STATUSES.has(value);
}

function time(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/**
 * Reads a task: the result of `tasks/get`, the parameters of a notification, or what a call was answered with
 * (2025-11-25 puts it below `task`). Nothing where it has no id or no status that the protocol knows.
 */
export function readTask(value: unknown): TaskReport | undefined {
  const raw = isObject(value) && isObject(value['task']) ? value['task'] : value;
  if (!isObject(raw)) {
    return undefined;
  }
  const { taskId, status, statusMessage } = raw;
  if (typeof taskId !== 'string' || taskId === '' || !isStatus(status)) {
    return undefined;
  }
  const message = [statusMessage, immediateResponse(value)].find((text) => typeof text === 'string' && text !== '');
  const ttlMs = time(raw['ttlMs'] ?? raw['ttl']);
  const pollMs = time(raw['pollIntervalMs'] ?? raw['pollInterval']);
  return {
    id: taskId,
    status,
    ...(typeof message === 'string' ? { message } : {}),
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(pollMs === undefined ? {} : { pollMs }),
    raw,
  };
}

/** What a server has to say at once (spec: 2025-11-25 basic/utilities/tasks, creating tasks). */
function immediateResponse(created: unknown): unknown {
  const { _meta: meta } = isObject(created) ? created : {};
  return isObject(meta) ? meta['io.modelcontextprotocol/model-immediate-response'] : undefined;
}

/** Nothing can change any more. */
export function isOver(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
