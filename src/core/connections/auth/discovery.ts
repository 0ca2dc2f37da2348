import {
  type AuthorizationServerMetadata,
  buildDiscoveryUrls,
  checkResourceAllowed,
  type FetchLike,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
  type SpecTypes,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import { PorticoError, toProblem } from '../../../base/errors';
import { plainText } from '../../../base/plainText';
import { TooSlow, whyRefused } from './authFetch';
import type { Challenge } from './challenge';

/** An address that was asked, and what came of it in a few words. */
export interface Tried {
  readonly url: string;
  readonly answer: string;
}

/** Who signs people in for a server, and what is known of it. */
export interface Discovered {
  readonly serverUrl: URL;
  readonly resource?: OAuthProtectedResourceMetadata;
  readonly resourceMetadataUrl?: string;
  /** As the resource names it; the server's own origin where there is no resource metadata (2025-03-26). */
  readonly authorizationServer: string;
  readonly metadata?: AuthorizationServerMetadata;
  readonly triedResource: readonly Tried[];
  readonly triedServer: readonly Tried[];
}

export interface DiscoverOptions {
  readonly server: string;
  readonly serverUrl: URL;
  readonly challenge: Challenge | undefined;
  /** Where the server names several authorization servers, this one if it is among them; else the first. */
  readonly preferred?: string | undefined;
  readonly fetch: FetchLike;
  /** Of whoever waits for it. */
  readonly signal?: AbortSignal | undefined;
}

/** The metadata of the resource and of its authorization server (spec: authorization server discovery). */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const found = await discoverResource(options);
  const { server, serverUrl, preferred } = options;
  const all = found.resource?.authorization_servers ?? [];
  const named = all.find((issuer) => preferred !== undefined && isSameIssuer(issuer, preferred)) ?? all[0];
  const authorizationServer = named ?? serverUrl.origin;
  const { metadata, tried } = await discoverServer(authorizationServer, options, named !== undefined);
  if (!metadata && named !== undefined) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}" names the authorization server ${shown(named)}, which has no metadata that can be used. Tried: ${list(tried)}. Tell those who run the server.`,
      { server },
    );
  }
  return {
    serverUrl,
    ...found,
    authorizationServer,
    ...(metadata ? { metadata } : {}),
    triedServer: tried,
  };
}

/** The header's address first, then below the path, then at the root; the first document that is about this server counts. */
async function discoverResource(
  options: DiscoverOptions,
): Promise<Pick<Discovered, 'resource' | 'resourceMetadataUrl' | 'triedResource'>> {
  const { serverUrl, challenge, server } = options;
  const tried: Asked[] = [];
  let foreign: string | undefined;
  for (const url of resourceAddresses(serverUrl, challenge)) {
    if (tried.some((before) => before.isSlow && new URL(before.url).origin === new URL(url).origin)) {
      continue;
    }
    const asked = await ask(url, options);
    const resource = check('OAuthProtectedResourceMetadata', asked);
    const problem = resource && whyForeign(resource, serverUrl);
    if (resource && problem === undefined) {
      return { resource, resourceMetadataUrl: url, triedResource: [...tried, asked] };
    }
    tried.push(problem === undefined ? asked : { ...asked, answer: problem });
    foreign ??= problem;
  }
  if (foreign !== undefined) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}" is not signed in to: ${foreign}, so a token for it might be meant for somebody else. Tried: ${list(tried)}. Check its "url", or tell those who run the server.`,
      { server },
    );
  }
  checkReached(tried, server);
  return { triedResource: tried };
}

export function resourceAddresses(serverUrl: URL, challenge: Challenge | undefined): readonly string[] {
  const path = serverUrl.pathname.replace(/\/$/, '');
  const wellKnown = '/.well-known/oauth-protected-resource';
  return [
    ...new Set([
      ...(challenge?.resourceMetadata === undefined ? [] : [challenge.resourceMetadata]),
      `${serverUrl.origin}${wellKnown}${path}${serverUrl.search}`,
      `${serverUrl.origin}${wellKnown}`,
    ]),
  ];
}

/** RFC 9728 section 3.3; a parent path is taken too, as servers in the field have it. */
function whyForeign({ resource }: OAuthProtectedResourceMetadata, serverUrl: URL): string | undefined {
  const allowed =
    URL.canParse(resource) &&
    checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(serverUrl), configuredResource: resource });
  return allowed ? undefined : `its metadata is about ${shown(resource)} and not about ${shown(serverUrl.href)}`;
}

async function discoverServer(
  authorizationServer: string,
  options: DiscoverOptions,
  isNamed: boolean,
): Promise<{ readonly metadata?: AuthorizationServerMetadata; readonly tried: readonly Tried[] }> {
  const { server, serverUrl } = options;
  const refused = whyRefused(authorizationServer, serverUrl);
  if (refused !== undefined) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}" names the authorization server ${shown(authorizationServer)}, which is not used, because ${refused}. Tell those who run the server.`,
      { server },
    );
  }
  const tried: Asked[] = [];
  for (const { url, type } of buildDiscoveryUrls(authorizationServer)) {
    const asked = await ask(url.href, options);
    tried.push(asked);
    if (asked.isSlow) {
      break;
    }
    const metadata = check(type === 'oauth' ? 'OAuthMetadata' : 'OpenIdProviderDiscoveryMetadata', asked);
    if (metadata) {
      checkIssuer(authorizationServer, metadata.issuer, server);
      checkEndpoints(metadata, options);
      return { metadata, tried };
    }
  }
  if (isNamed) {
    checkReached(tried, server);
  }
  return { tried };
}

/** RFC 8414 section 3.3 wants them identical; a slash at the end is forgiven, as both spellings are about. */
export function isSameIssuer(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '');
}

function checkIssuer(expected: string, issuer: string, server: string): void {
  if (!isSameIssuer(expected, issuer)) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}": the metadata of ${shown(expected)} says that it is the issuer ${shown(issuer)}. One may pass itself off as the other, so nothing is sent. Tell those who run the server.`,
      { server },
    );
  }
}

function checkEndpoints(metadata: AuthorizationServerMetadata, { server, serverUrl }: DiscoverOptions): void {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const) {
    const address = metadata[name];
    const refused = address === undefined ? undefined : whyRefused(address, serverUrl);
    if (address !== undefined && refused !== undefined) {
      throw new PorticoError(
        'AUTH_FAILED',
        `Server "${server}": the ${name} ${shown(address)} of its authorization server ${shown(metadata.issuer)} is not used, because ${refused}. Tell those who run it.`,
        { server },
      );
    }
  }
}

interface Asked extends Tried {
  readonly value?: unknown;
  /** Nobody answered, or not for now: it says nothing about whether there is such a document. */
  readonly down?: boolean;
  /** So late that whoever answers there is asked for nothing more. */
  readonly isSlow?: boolean;
}

async function ask(url: string, { fetch, signal }: DiscoverOptions): Promise<Asked> {
  try {
    const reply = await fetch(url, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) });
    if (!reply.ok) {
      return { url, answer: `HTTP ${reply.status}`, down: reply.status >= 500 && reply.status !== 501 };
    }
    return { url, answer: 'found', value: (await reply.json()) as unknown };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) {
      return { url, answer: 'no JSON' };
    }
    const isSlow = error instanceof TooSlow;
    const down = PorticoError.is(error, 'CONNECT_FAILED', 'CONNECTION_LOST');
    return { url, answer: plainText(toProblem(error).message).slice(0, 300), down, isSlow };
  }
}

type Document = 'OAuthProtectedResourceMetadata' | 'OAuthMetadata' | 'OpenIdProviderDiscoveryMetadata';

/** The document, where it is one by the SDK's schema; as it was sent, for the schema mends addresses that are to be refused. */
function check<K extends Document>(kind: K, { value }: Asked): SpecTypes[K] | undefined {
  const result = value === undefined ? undefined : specTypeSchemas[kind]['~standard'].validate(value);
  return result === undefined || result instanceof Promise || result.issues ? undefined : (value as SpecTypes[K]);
}

/** A sign-in must not take another way, and none be forgotten, because somebody does not answer at the moment. */
function checkReached(tried: readonly Asked[], server: string): void {
  if (tried.some(({ down }) => down)) {
    throw new PorticoError(
      'CONNECT_FAILED',
      `Server "${server}": who signs in to it could not be found out, because not everybody answered. Tried: ${list(tried)}. Try again later.`,
      { server },
    );
  }
}

export function list(tried: readonly Tried[]): string {
  return tried.map(({ url, answer }) => `${shown(url)} (${answer})`).join(', ');
}

/** An address that somebody else wrote, on one line and cut; its query is left out, as it may hold a key. */
export function shown(address: string): string {
  const line = plainText(address.split(/[?#]/, 1)[0] ?? '').replace(/\s+/g, ' ');
  return line.length > 150 ? `${line.slice(0, 150)}…` : line;
}
