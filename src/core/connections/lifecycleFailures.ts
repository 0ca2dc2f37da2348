import { PorticoError } from '../../base/errors';
import type { ServerDefinition } from '../config/configTypes';
import type { ConnectionState } from './connectionTypes';
import type { RestartPolicy } from './restartPolicy';
import type { ProcessOutput } from './sessionTypes';

/** Lines of stderr that the last message of a server that keeps crashing ends with. */
const LAST_LINES = 3;
const LONGEST_LINE = 300;

/** A start that was not over in time; `state` is how far it has come, `output` what it wrote beside messages. */
export function tooSlow(
  { key, startMs }: ServerDefinition,
  withinMs: number,
  state: ConnectionState,
  output: ProcessOutput | undefined,
): PorticoError {
  const what =
    state.kind === 'starting' && state.stage === 'launching'
      ? 'its process did not start'
      : 'it did not answer the handshake';
  const where = startMs === undefined ? 'portico.advanced.startTimeout' : '"startTimeout" of its entry';
  const { lastStray: stray, strayReason } = output ?? {};
  const next =
    stray === undefined
      ? `See its log, or raise ${where}.`
      : `Check its command, or raise ${where}. Its last output that was no message: ${stray}`;
  return new PorticoError(
    'START_TIMEOUT',
    // More time would not help where it is known what is wrong.
    `"${key}" was not ready within ${withinMs / 1_000} s: ${what}. ${strayReason ?? next}`,
    { server: key },
  );
}

/** A server that is not started again; `last` is why it ended last, `stderr` what it wrote before. */
export function wentDownTooOften(
  key: string,
  { attempt, withinMs }: RestartPolicy,
  last: string,
  stderr: readonly string[],
): PorticoError {
  const lines = stderr.slice(-LAST_LINES).filter((line) => !last.includes(line.trim()));
  const said =
    lines.length === 0 ? '' : ` Before that it wrote: ${lines.map((line) => line.slice(0, LONGEST_LINE)).join(' | ')}`;
  return new PorticoError(
    'CONNECTION_LOST',
    `"${key}" went down ${attempt} times within ${withinMs / 60_000} minutes and is not started again. Start it by hand once the cause is gone. Last: ${last}${said}`,
    { server: key },
  );
}
