import type { Environment } from './loginShell';
import type { Graces, ProcessControl } from './processTree';
import { RestartPolicy } from './restartPolicy';

/** Times and surroundings that only tests set; milliseconds. */
export interface ConnectionTuning {
  readonly graces: Graces;
  /** The operating system's own when absent. */
  readonly control?: ProcessControl;
  readonly loginEnvironment: () => Promise<Environment | undefined>;
  /** Restarts after an unexpected end. */
  readonly restarts: RestartPolicy;
  /** A session that lasted this long makes earlier ones that were forgotten count no more. */
  readonly stableMs: number;
  /** How much longer than its time a start is left to come. */
  readonly lateMs: number;
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
  loginEnvironment: async () => (await import('./loginShell')).loginEnvironment(),
  restarts: RestartPolicy.of(180_000, 500, 2_000, 5_000, 15_000),
  stableMs: 5_000,
  lateMs: 120_000,
  refresh: { quietMs: 100, longestWaitMs: 1_500, leastGapMs: 250, mostGapMs: 5_000 },
});
