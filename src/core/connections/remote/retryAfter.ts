import { PorticoError } from '../../../base/errors';

/** Statuses that say "not now" before anything was done (RFC 9110 15.6.4, RFC 6585 4). */
const LATER: ReadonlySet<number> = new Set([429, 503]);
/** Longer than this nobody is kept waiting. */
const MOST_MS = 30_000;
const MOST_TRIES = 3;

/** The time that a `Retry-After` asks for, in milliseconds: it holds seconds or a date (RFC 9110 10.2.3). */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === '') {
    return undefined;
  }
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) {
    return Number(value) * 1_000;
  }
  const date = Date.parse(value);
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
  const ms = readRetryAfter(retryAfter, now);
  const when = ms === undefined ? 'a while' : `${Math.ceil(ms / 1_000)} s`;
  return new PorticoError(
    'RATE_LIMITED',
    `Server "${server}" gets too many requests (HTTP 429). Try again after ${when}.`,
    { server },
  );
}
