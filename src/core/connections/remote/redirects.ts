import type { IncomingMessage } from 'node:http';
import { PorticoError } from '../../../base/errors';
import { plainText } from '../../../base/plainText';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_HOPS = 5;

/**
 * Where to send the request again, or nothing when `response` is no redirect. Only within the origin, so that headers
 * never reach another one; 301, 302 and 303 would turn a POST into a GET and are reported instead (RFC 9110 15.4).
 */
export function redirectTarget(
  response: IncomingMessage,
  from: URL,
  method: string,
  hops: number,
  server: string,
): URL | undefined {
  const { statusCode = 0, headers } = response;
  if (!REDIRECTS.has(statusCode)) {
    return undefined;
  }
  const fail = (what: string): PorticoError =>
    new PorticoError('CONNECT_FAILED', `Server "${server}" ${what}`, { server });
  if (headers.location === undefined) {
    throw fail(`redirects ${from.host} without saying where to (HTTP ${statusCode}). Check its "url" and its own log.`);
  }
  if (!URL.canParse(headers.location, from.href)) {
    throw fail(`redirects ${from.host} to an address that cannot be read (HTTP ${statusCode}). Check its "url".`);
  }
  const target = new URL(headers.location, from);
  if (!/^https?:$/.test(target.protocol)) {
    const where = plainText(headers.location).slice(0, 100);
    throw fail(`redirects ${from.host} to what is no web address: ${where} (HTTP ${statusCode}). Check its "url".`);
  }
  // The query is left out: it often holds a key.
  const shown = `${target.origin}${target.pathname}`;
  if (target.origin !== from.origin) {
    throw fail(
      `has moved to another origin, ${shown} (HTTP ${statusCode}). Its headers are not sent there; ` +
        'if you trust it, put that address into "url".',
    );
  }
  if (method !== 'GET' && statusCode !== 307 && statusCode !== 308) {
    throw fail(`has moved to ${shown} (HTTP ${statusCode}). Put that address into "url".`);
  }
  if (hops >= MAX_HOPS) {
    throw fail(`redirects more than ${MAX_HOPS} times, at last to ${shown}. Check its "url".`);
  }
  return target;
}
