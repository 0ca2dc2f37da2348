import type { IncomingHttpHeaders } from 'node:http';

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;

/**
 * Says why a request may not go on, before anything else of it is looked at: a web page that reached us by DNS rebinding
 * shows a foreign Host or Origin (spec: transports, security warning). `port` is the one that it came to; a socket or pipe
 * has none, and web pages do not get there.
 */
export function foreignRequest(headers: IncomingHttpHeaders, port: number | undefined): string | undefined {
  if (headers.host === undefined || !isOwn(headers.host, port)) {
    return 'Forbidden: the Host header does not name this address.';
  }
  if (headers.origin !== undefined && !isOwn(/^https?:\/\/(.+)$/i.exec(headers.origin)?.[1] ?? '', port)) {
    return 'Forbidden: requests of other origins are not served.';
  }
  return undefined;
}

function isOwn(authority: string, port: number | undefined): boolean {
  const match = loopbackHost.exec(authority);
  return match !== null && (port === undefined || Number(match[1] ?? 80) === port);
}

/** The token of `Authorization: Bearer …`. A token in the URL is none. */
export function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1];
}
