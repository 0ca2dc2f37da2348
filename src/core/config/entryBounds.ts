import type { ServerDefinition, StartMode } from './configTypes';

/** What an entry says of its own about times; bounds in milliseconds. */
export type EntryBounds = Pick<ServerDefinition, 'requestMs' | 'startMs' | 'start'>;

type Faults = { readonly what: string; readonly path: readonly (string | number)[] }[];

/** Above this a number is taken for milliseconds, as other hosts write them: nobody waits ten thousand seconds. */
const MOST_SECONDS = 9_999;
const SECOND = 1_000;

type Unit = 'seconds' | 'milliseconds';

/** Portico's own spelling first, then those of Codex, LibreChat and Continue; the first that is there counts. */
const requestKeys: readonly (readonly [string, Unit])[] = [
  ['timeout', 'seconds'],
  ['tool_timeout_sec', 'seconds'],
  ['timeoutMs', 'milliseconds'],
];
const startKeys: readonly (readonly [string, Unit])[] = [
  ['startTimeout', 'seconds'],
  ['startup_timeout_sec', 'seconds'],
  ['startup_timeout_ms', 'milliseconds'],
  ['initTimeout', 'milliseconds'],
  ['connectionTimeout', 'milliseconds'],
];

/** Reads `timeout`, `startTimeout` and `start`; what is wrong with them is added to the faults. */
export function readBounds(fields: ReadonlyMap<string, unknown>, faults: Faults): EntryBounds {
  const requestMs = readTime(fields, requestKeys, faults);
  const startMs = readTime(fields, startKeys, faults);
  const start = readStart(fields.get('start'), faults);
  return {
    ...(requestMs === undefined ? {} : { requestMs }),
    ...(startMs === undefined ? {} : { startMs }),
    ...(start === undefined ? {} : { start }),
  };
}

function readTime(
  fields: ReadonlyMap<string, unknown>,
  keys: readonly (readonly [string, Unit])[],
  faults: Faults,
): number | undefined {
  const found = keys.find(([key]) => (fields.get(key) ?? undefined) !== undefined);
  if (found === undefined) {
    return undefined;
  }
  const [key, unit] = found;
  const written = fields.get(key);
  const value = typeof written === 'string' && written.trim() !== '' ? Number(written) : written;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    faults.push({ what: `has "${key}" that is not a number above 0: write ${unit}`, path: [key] });
    return undefined;
  }
  return unit === 'milliseconds' || value > MOST_SECONDS ? value : value * SECOND;
}

function readStart(value: unknown, faults: Faults): StartMode | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (value === 'onDemand' || value === 'onOpen' || value === 'manual') {
    return value;
  }
  faults.push({ what: 'has an unknown "start": write "onDemand", "onOpen" or "manual"', path: ['start'] });
  return undefined;
}
