import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Says why a request may not go on. A web page that reached us by DNS rebinding shows a foreign Host or Origin
 * (spec: transports, security warning); another program of this machine lacks the token.
 */
export function refuseRequest(headers: IncomingHttpHeaders, token: string): Refusal | undefined {
  if (headers.host === undefined || !loopbackHost.test(headers.host)) {
    return { status: 403, message: 'Forbidden: the Host header does not name this machine.' };
  }
  if (headers.origin !== undefined && !isLoopbackOrigin(headers.origin)) {
    return { status: 403, message: 'Forbidden: requests of other origins are not served.' };
  }
  if (!sameSecret(headers.authorization ?? '', `Bearer ${token}`)) {
    return { status: 401, message: 'Unauthorized: the token is missing or wrong.' };
  }
  return undefined;
}

function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/(.+)$/i.exec(origin);
  return match?.[1] !== undefined && loopbackHost.test(match[1]);
}

/** Hashing first makes the lengths equal, so that the comparison tells nothing by its time. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
