import { setTimeout as delay } from 'node:timers/promises';
import type { Hub } from '../../../src/core/hubTypes';

const caller = { kind: 'cli', label: 'healthy' } as const;
const FEWEST = 20;
const PAUSE_MS = 2;

/** How long calls took in milliseconds. */
export interface Latency {
  readonly median: number;
  readonly worst: number;
}

/** Calls the healthy servers in turn until the work is over, and often enough to have a median. Every call must succeed. */
export async function callDuring(hub: Hub, servers: readonly string[], work: Promise<unknown>): Promise<Latency> {
  let over = false;
  const settled = work.then(
    () => (over = true),
    () => (over = true),
  );
  const times: number[] = [];
  for (let count = 0; !over || count < FEWEST; count += 1) {
    const message = `healthy ${count}`;
    const start = performance.now();
    const server = servers[count % servers.length] ?? '';
    const { content } = await hub.callTool({ server, name: 'echo' }, { message }, { caller });
    times.push(performance.now() - start);
    if (!JSON.stringify(content).includes(message)) {
      throw new Error(`"${server}" answered ${JSON.stringify(content)} to "${message}".`);
    }
    await delay(PAUSE_MS);
  }
  await settled;
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, worst: times.at(-1) ?? 0 };
}
