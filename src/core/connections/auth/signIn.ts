import { randomBytes } from 'node:crypto';
import {
  auth,
  type FetchLike,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { cancelled, PorticoError } from '../../../base/errors';
import type { AuthSettings, ServerDefinition } from '../../config/configTypes';
import { plainText, shortText } from '../../../base/plainText';
import { checkAnswers } from './authAnswers';
import { whyRefused } from './authFetch';
import { isAddressRefused, toAuthError } from './authErrors';
import type { AuthorizationUi, ReturnWay } from './authTypes';
import { type Discovered, isSameIssuer, shown } from './discovery';
import { SignInProvider } from './signInProvider';

export interface SignInRequest {
  readonly definition: ServerDefinition;
  readonly found: Discovered;
  readonly settings: AuthSettings;
  readonly clientMetadataUrl: string | undefined;
  readonly scope: string | undefined;
  readonly ui: AuthorizationUi;
  readonly fetch: FetchLike;
  readonly signal: AbortSignal;
  /** The registration at the authorization server that is kept for all servers. */
  readonly registration: {
    get(): Promise<StoredOAuthClientInformation | undefined>;
    set(client: StoredOAuthClientInformation | undefined): Promise<void>;
  };
}

export interface SignedIn {
  readonly issuer: string;
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  readonly requested: readonly string[];
}

/**
 * Takes the person to the authorization server and back, and redeems what the browser brings. A refused address is tried
 * the other way, and a registration that the server has forgotten is made once more; neither twice.
 */
export async function signIn(request: SignInRequest): Promise<SignedIn> {
  const { definition, found, signal } = request;
  const server = definition.key;
  checkPkce(found, server);
  let way: ReturnWay | undefined = hasFixedAddress(request) ? 'loopback' : undefined;
  let isRenewed = false;
  for (;;) {
    const state = randomBytes(32).toString('base64url');
    const trip = await request.ui.begin(definition, state, way);
    try {
      const provider = new SignInProvider({
        ...request,
        trip,
        state,
        registered: await request.registration.get(),
      });
      checkClient(provider, request);
      const outcome = await travel(provider, trip, state, request);
      if (outcome !== 'forgotten') {
        return outcome;
      }
      await request.registration.set(undefined);
      if (isRenewed) {
        throw new PorticoError(
          'AUTH_FAILED',
          `Server "${server}": ${shown(provider.issuer)} does not know the client that it has just registered. Tell those who run it.`,
          { server },
        );
      }
      isRenewed = true;
    } catch (error) {
      if (signal.aborted) {
        throw cancelled(`The sign-in to "${server}"`);
      }
      if (way !== undefined || !isAddressRefused(error)) {
        throw toAuthError(error, server);
      }
      way = trip.way === 'editor' ? 'loopback' : 'editor';
    } finally {
      trip.dispose();
    }
  }
}

/**
 * A client that was registered by hand, or that has a document, has one address for ever: on loopback, where the port does
 * not count (RFC 8252 section 7.3), it fits. The editor's own is another one each time.
 */
function hasFixedAddress({ settings, clientMetadataUrl, found }: SignInRequest): boolean {
  const takesDocument = found.metadata?.client_id_metadata_document_supported === true;
  return settings.clientId !== undefined || (clientMetadataUrl !== undefined && takesDocument);
}

async function travel(
  provider: SignInProvider,
  trip: { go(url: URL, signal: AbortSignal): Promise<URLSearchParams> },
  state: string,
  request: SignInRequest,
): Promise<SignedIn | 'forgotten'> {
  const { found, scope, fetch, signal, settings } = request;
  const server = request.definition.key;
  const options = {
    serverUrl: found.serverUrl,
    fetchFn: checkAnswers(fetch, server),
    ...(scope === undefined ? {} : { scope }),
  };
  const known = provider.client;
  await auth(provider, { ...options, forceReauthorization: true });
  const { page, client } = provider;
  if (!page || !client) {
    throw new PorticoError('INTERNAL', 'The SDK named no page to sign in at.');
  }
  const isDynamic = settings.clientId === undefined && 'redirect_uris' in client;
  if (isDynamic && client !== known) {
    await request.registration.set(client);
  }
  checkPage(page, request);
  const answer = await trip.go(page, signal).catch(async (error: unknown) => {
    if (isDynamic && client === known) {
      // A server that has forgotten the client shows that on its page, and nobody comes back: the next one starts afresh.
      await request.registration.set(undefined);
    }
    throw error;
  });
  const code = readAnswer(answer, state, provider, request);
  try {
    await auth(provider, { ...options, authorizationCode: code, ...iss(answer) });
  } catch (error) {
    if (provider.isForgotten && isDynamic) {
      return 'forgotten';
    }
    throw provider.isForgotten && settings.clientId !== undefined
      ? new PorticoError(
          'AUTH_FAILED',
          `Server "${server}": ${shown(provider.issuer)} does not accept the client "${settings.clientId}" of its entry. Check "clientId" and "clientSecret" there.`,
          { server },
        )
      : error;
  }
  if (!provider.signedIn) {
    throw new PorticoError('INTERNAL', 'The SDK brought no tokens.');
  }
  const requested = page.searchParams.get('scope')?.split(' ').filter(Boolean) ?? [];
  return { issuer: provider.issuer, client, tokens: provider.signedIn, requested };
}

/** What came back, once it is sure to be the answer to this trip and from the server that was asked (RFC 9207). */
function readAnswer(answer: URLSearchParams, state: string, provider: SignInProvider, request: SignInRequest): string {
  const server = request.definition.key;
  const fail = (what: string): PorticoError =>
    new PorticoError('AUTH_FAILED', `Server "${server}": ${what}`, { server });
  if (answer.get('state') !== state) {
    throw fail('the browser came back with an answer to another sign-in, which is not used. Sign in again.');
  }
  const { metadata } = request.found;
  validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const error = answer.get('error');
  if (error !== null) {
    const text = shortText(answer.get('error_description') ?? '');
    throw fail(
      error === 'access_denied'
        ? `${shown(provider.issuer)} was told no. Sign in again to change that.`
        : `${shown(provider.issuer)} refused the sign-in (${shortText(error, 60)})${text === '' ? '' : `: ${text}`}.`,
    );
  }
  const code = answer.get('code');
  if (code === null || code === '') {
    throw fail('the browser came back without a code. Sign in again.');
  }
  return code;
}

function iss(answer: URLSearchParams): { readonly iss?: string } {
  const value = answer.get('iss');
  return value === null ? {} : { iss: value };
}

/** Without PKCE a stolen code is worth a token (spec: authorization code protection). */
export function whyNoPkce({ metadata, resource }: Discovered): string | undefined {
  if (!metadata) {
    // A server of 2025-03-26 that has no metadata at all says nothing about it.
    return resource ? 'has no metadata that says so' : undefined;
  }
  const methods = metadata.code_challenge_methods_supported;
  if (methods === undefined) {
    return 'does not say that it supports PKCE (code_challenge_methods_supported)';
  }
  return methods.includes('S256')
    ? undefined
    : `supports PKCE by ${shortText(methods.join(', ')) || 'no method'} alone, and not by S256`;
}

function checkPkce(found: Discovered, server: string): void {
  const problem = whyNoPkce(found);
  if (problem !== undefined) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}": its authorization server ${shown(found.authorizationServer)} ${plainText(problem)}. Without it a code on its way back could be stolen, so nobody is sent there. Tell those who run it.`,
      { server },
    );
  }
}

function checkClient(provider: SignInProvider, { definition, settings, found }: SignInRequest): void {
  const server = definition.key;
  if (!provider.canRegister) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}": its authorization server ${shown(provider.issuer)} registers no clients by itself. Register Portico there by hand, with the address ${provider.redirectUrl} to come back to, and put what you get into the entry: "auth": {"clientId": "…"}.`,
      { server },
    );
  }
  if (settings.issuer !== undefined && !isSameIssuer(settings.issuer, provider.issuer)) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}": the client of its entry is for ${shown(settings.issuer)}, but the server now names ${shown(found.authorizationServer)}. It is not used there. If you trust that one, register there and change "auth" in the entry.`,
      { server },
    );
  }
}

function checkPage(page: URL, { definition, found }: SignInRequest): void {
  const refused = whyRefused(page.href, found.serverUrl);
  if (refused !== undefined) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${definition.key}": the sign-in page ${shown(page.href)} is not opened, because ${refused}.`,
      { server: definition.key },
    );
  }
}
