import { monitorEventLoopDelay } from 'node:perf_hooks';
import { atMost, type Figure, type Sample } from './measure';

const RESOLUTION_MS = 1;

/** How long the event loop kept others waiting while `run` went on: `loopP99` and `loopMax` in milliseconds. */
export async function loopDelayDuring(run: () => Promise<unknown>): Promise<Sample> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  try {
    await run();
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
