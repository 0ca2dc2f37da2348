import { BlockList, isIP } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock';
import type { Disposable } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import { isLoopback, readWebAddress } from '../../../base/webAddress';
import { shortText } from '../../../base/plainText';
import type { NetworkSettings } from '../remote/networkTypes';
import { NodeFetch } from '../remote/nodeFetch';

/** No document of an authorization server is larger. */
const MOST_BYTES = 1_048_576;
const REQUEST_MS = 15_000;
/** A document is there or is not; several may be asked for, one after another, within one start. */
const DOCUMENT_MS = 5_000;
/** Statuses that a `Response` may not have a body for. */
const BODILESS = new Set([204, 205, 304]);

/** Where nothing that a server on the web names has any business (RFC 9728 section 7.7). */
const inside = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  inside.addSubnet(network, prefix, 'ipv6');
}

/**
 * Why this address must not be called or opened for a server, in half a sentence; nothing where it may. `resource`: the
 * server itself. Only one that is on this computer or in this network may name an address there.
 */
export function whyRefused(text: string, resource: URL): string | undefined {
  const address = readWebAddress(text);
  if ('refused' in address) {
    return address.refused;
  }
  return isInside(new URL(address.url)) && !isInside(resource)
    ? 'it is on this computer or in its network, where a server on the web must not send anybody'
    : undefined;
}

function isInside({ hostname }: URL): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(bare);
  return isLoopback(hostname) || (version !== 0 && inside.check(bare, version === 6 ? 'ipv6' : 'ipv4'));
}

/** Somebody took the connection, but the whole answer was not there in time. */
export class TooSlow extends PorticoError {
  constructor(server: string, url: URL, ms: number) {
    super(
      'CONNECT_FAILED',
      `Server "${server}": ${url.host} did not finish answering within ${ms / 1_000} s. Try again, or look at the network.`,
      { server },
    );
  }
}

/**
 * A `fetch` for the documents and endpoints of authorization servers: on our own node:http, bounded in time, size and
 * redirects, for addresses that `whyRefused` lets pass. Rejects with AUTH_FAILED for others, with CONNECT_FAILED where
 * nobody answers.
 */
export class AuthFetch implements Disposable {
  private readonly http: NodeFetch;

  constructor(
    private readonly server: string,
    private readonly resource: URL,
    private readonly clock: Clock,
    network: NetworkSettings | undefined,
  ) {
    this.http = new NodeFetch({ server, messageBytes: MOST_BYTES, ...(network ? { network } : {}) });
  }

  readonly fetch: FetchLike = async (input, init = {}) => {
    const address = String(input);
    const refused = whyRefused(address, this.resource);
    if (refused !== undefined) {
      throw new PorticoError(
        'AUTH_FAILED',
        `Server "${this.server}": ${shortText(address)} is not called, because ${refused}. Diagnose Sign-In shows who names it.`,
        { server: this.server },
      );
    }
    const url = new URL(address);
    const slow = new AbortController();
    const most = (init.method ?? 'GET') === 'GET' ? DOCUMENT_MS : REQUEST_MS;
    const timer = this.clock.after(most, () => slow.abort(new TooSlow(this.server, url, most)));
    try {
      const { method, headers, body, signal } = init;
      const reply = await this.http.fetch(url, {
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined || body === null ? {} : { body: typeof body === 'string' ? body : String(body) }),
        signal: signal ? AbortSignal.any([signal, slow.signal]) : slow.signal,
      });
      const text = await reply.text();
      if (reply.status < 200 || reply.status > 599) {
        throw new PorticoError(
          'CONNECT_FAILED',
          `Server "${this.server}": ${url.host} answered with the HTTP status ${reply.status}, which does not exist. Tell those who run it.`,
          { server: this.server },
        );
      }
      // The SDK asks whether it is a `Response`, and clones it.
      return new Response(BODILESS.has(reply.status) ? null : text, {
        status: reply.status,
        headers: reply.headers,
      });
    } finally {
      timer.dispose();
    }
  };

  dispose(): void {
    this.http.dispose();
  }
}
