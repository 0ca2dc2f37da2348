import { PorticoError } from '../../../base/errors';

/** Statuses that say "not now" before anything was done (RFC 9110 15.6.4, RFC 6585 4). */
const LATER: ReadonlySet<number> = new Set([429, 503]);
/** Longer than this nobody is kept waiting. */
const MOST_MS = 30_000;
const MOST_TRIES = 3;

/** `Sun, 06 Nov 1994 08:49:37 GMT` and the two older forms (RFC 9110 5.6.7); `Date.parse` would take "-5" for one, too. */
const DATE = /^\s*(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d/i;
/** The time of a wait in words, from the longest unit whose count is read easily; beyond all of them nobody waits. */
const UNITS = [
  ['second', 1, 120],
  ['minute', 60, 120],
  ['hour', 3_600, 72],
  ['day', 86_400, 60],
] as const;

/** The time that a `Retry-After` asks for, in milliseconds: it holds seconds or a date (RFC 9110 10.2.3). */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === '') {
    return undefined;
  }
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) {
    return Number(value) * 1_000;
  }
  const date = DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** How a reply asks to be asked again: after how many milliseconds, or not at all. */
export function retryDelay(
  status: number,
  retryAfter: string | undefined,
  tries: number,
  now: number,
): number | undefined {
  const ms = LATER.has(status) ? readRetryAfter(retryAfter, now) : undefined;
  return ms === undefined || ms > MOST_MS || tries >= MOST_TRIES ? undefined : ms;
}

/** What a refusal for too many requests is reported as; nothing for any other reply. */
export function rateLimited(
  status: number,
  retryAfter: string | undefined,
  server: string,
  now: number,
): PorticoError | undefined {
  if (status !== 429) {
    return undefined;
  }
  return new PorticoError(
    'RATE_LIMITED',
    `Server "${server}" gets too many requests (HTTP 429). Try again ${inWords(readRetryAfter(retryAfter, now))}.`,
    { server },
  );
}

function inWords(ms: number | undefined): string {
  const seconds = ms === undefined ? undefined : Math.ceil(ms / 1_000);
  if (seconds === undefined || seconds === 0) {
    return 'after a while';
  }
  for (const [unit, size, most] of UNITS) {
    const count = Math.ceil(seconds / size);
    if (count <= most) {
      return `after ${count} ${unit}${count === 1 ? '' : 's'}`;
    }
  }
  return 'much later: it asks for more than two months';
}
