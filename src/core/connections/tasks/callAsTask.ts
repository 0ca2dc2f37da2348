import type { Tool } from '@modelcontextprotocol/client';
import type { ReadyInfo } from '../connectionTypes';
import type { Fields } from '../readEntries';
import type { TaskWish } from '../sessionTypes';

/** How long the server is asked to keep a task; it may keep it shorter. In milliseconds: a day. */
const TTL_MS = 86_400_000;

/**
 * What a call's parameters say of tasks (spec: 2025-11-25 basic/utilities/tasks, tool-level negotiation); the extension
 * of 2026-07-28 leaves it to the server. A tool that may run either way is called plainly, as the answer of a short call
 * would wait for the next poll otherwise; it becomes a task where nobody needs the answer at once (`inBackground`), and
 * where it has been slow before: a plain call is cut off when its time is over.
 */
export function taskParam(
  { era, capabilities }: ReadyInfo,
  tool: () => Tool | undefined,
  { inBackground, isSlow }: TaskWish,
): Fields | undefined {
  const support =
    era === 'session' && capabilities.tasks?.requests?.tools?.call ? tool()?.execution?.taskSupport : undefined;
  const asTask = support === 'required' || (support === 'optional' && (inBackground || isSlow));
  return asTask ? { ttl: TTL_MS } : undefined;
}
