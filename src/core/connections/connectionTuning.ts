import { Backoff } from '../../base/backoff';
import { loginShellPath } from './loginShellPath';
import type { Graces, ProcessControl } from './processTree';

/** Times and surroundings that only tests set; milliseconds. */
export interface ConnectionTuning {
  readonly graces: Graces;
  /** The operating system's own when absent. */
  readonly control?: ProcessControl;
  readonly loginPath: () => Promise<string | undefined>;
  /** Restarts after an unexpected end; used up means stop and say so. */
  readonly restarts: Backoff;
  /** A process that ran shorter than this is not restarted: it would only crash again. */
  readonly stableMs: number;
  /** Running this long makes earlier crashes forgotten. */
  readonly forgiveMs: number;
  readonly refresh: RefreshTimes;
}

/** How bursts of `list_changed` are slowed down; milliseconds. */
export interface RefreshTimes {
  /** Quiet time that ends a burst, and the longest wait for it. */
  readonly quietMs: number;
  readonly longestWaitMs: number;
  /** Between two refreshes: the least, doubled while they follow on each other, up to the most. */
  readonly leastGapMs: number;
  readonly mostGapMs: number;
}

export const defaultTuning = (): ConnectionTuning => ({
  graces: { stdinMs: 1_000, terminateMs: 1_000 },
  loginPath: loginShellPath,
  restarts: Backoff.of(500, 2_000, 5_000, 15_000, 30_000),
  stableMs: 5_000,
  forgiveMs: 180_000,
  refresh: { quietMs: 100, longestWaitMs: 1_500, leastGapMs: 250, mostGapMs: 5_000 },
});
