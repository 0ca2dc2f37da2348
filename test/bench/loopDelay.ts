import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { atMost, type Figure, type Sample } from './measure';

const RESOLUTION_MS = 1;
const TICKS_MS = 5 * RESOLUTION_MS;

/** How long the event loop kept others waiting while `run` went on: `loopP99` and `loopMax` in milliseconds. */
export async function loopDelayDuring(run: () => Promise<unknown>): Promise<Sample> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // It measures from one of its ticks to the next: what holds up the loop before the first or after the last one is not seen.
  await setTimeout(TICKS_MS);
  try {
    await run();
    await setTimeout(TICKS_MS);
  } finally {
    histogram.disable();
  }
  const milliseconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return { loopP99: milliseconds(histogram.percentile(99)), loopMax: milliseconds(histogram.max) };
}

/** The rows of a sample's delays. */
export function delayFigures(suite: string, name: string, sample: Sample, mostMs?: number): readonly Figure[] {
  return [
    atMost(suite, `${name}: event loop held up, p99`, sample['loopP99']!, 'ms'),
    atMost(suite, `${name}: event loop held up, most`, sample['loopMax']!, 'ms', mostMs),
  ];
}
