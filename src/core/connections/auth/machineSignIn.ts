import {
  auth,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  type FetchLike,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { PorticoError } from '../../../base/errors';
import type { AuthSettings } from '../../config/configTypes';
import { checkAnswers } from './authAnswers';
import { toAuthError } from './authErrors';
import { type Discovered, isSameIssuer, shown } from './discovery';

/** What to do where the credentials of an entry are refused. */
export const CHECK_ENTRY = 'Check "clientId", the secret or key, and "scopes" in "auth" of its entry.';

/** Whether nobody has to go anywhere: the client signs in for itself, or an identity provider vouches for the person. */
export function isMachine({ grant, identityProvider }: AuthSettings): boolean {
  return grant === 'clientCredentials' || identityProvider !== undefined;
}

export interface MachineRequest {
  readonly server: string;
  readonly found: Discovered;
  readonly settings: AuthSettings;
  /** The authorization server that the credentials are for, where it is known. */
  readonly bound: string | undefined;
  readonly scope: string | undefined;
  readonly fetch: FetchLike;
}

/** Gets tokens by the SDK's own providers for client credentials, signed assertions and enterprise-managed authorization. */
export async function signInAsMachine(request: MachineRequest): Promise<StoredOAuthTokens> {
  const { found, bound, server, scope } = request;
  const fetch = checkAnswers(request.fetch, server);
  const issuer = found.metadata?.issuer ?? found.authorizationServer;
  if (bound !== undefined && !isSameIssuer(bound, issuer)) {
    throw new PorticoError(
      'AUTH_FAILED',
      `Server "${server}": the credentials of its entry are for ${shown(bound)}, but the server now names ${shown(issuer)}. They are not sent there. If you trust that one, change "auth" in the entry.`,
      { server },
    );
  }
  const provider: OAuthClientProvider = Object.assign(providerOf({ ...request, fetch }, issuer), {
    discoveryState: () => ({
      authorizationServerUrl: found.authorizationServer,
      ...(found.metadata ? { authorizationServerMetadata: found.metadata } : {}),
      ...(found.resource ? { resourceMetadata: found.resource } : {}),
      ...(found.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: found.resourceMetadataUrl }),
    }),
    saveDiscoveryState: () => undefined,
  });
  try {
    await auth(provider, { serverUrl: found.serverUrl, fetchFn: fetch, ...(scope === undefined ? {} : { scope }) });
  } catch (error) {
    throw toAuthError(error, server, CHECK_ENTRY);
  }
  const tokens = await provider.tokens();
  if (!tokens) {
    throw new PorticoError('INTERNAL', 'The SDK brought no tokens.');
  }
  return tokens;
}

function providerOf({ server, settings, fetch }: MachineRequest, expectedIssuer: string): OAuthClientProvider {
  const { clientId = '', clientSecret, privateKey, algorithm = 'RS256', identityProvider } = settings;
  const common = { clientId, clientName: 'Portico', expectedIssuer };
  if (clientId !== '' && identityProvider && clientSecret !== undefined) {
    return new CrossAppAccessProvider({
      ...common,
      clientSecret,
      fetchFn: fetch,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
        const { issuer, tokenEndpoint, ...idp } = identityProvider;
        const options = {
          ...idp,
          audience: authorizationServerUrl,
          resource: resourceUrl,
          ...(scope === undefined ? {} : { scope }),
          fetchFn,
        };
        const grant =
          tokenEndpoint === undefined
            ? await discoverAndRequestJwtAuthGrant({ ...options, idpUrl: issuer })
            : await requestJwtAuthorizationGrant({ ...options, tokenEndpoint });
        return grant.jwtAuthGrant;
      },
    });
  }
  if (clientId !== '' && !identityProvider && privateKey !== undefined) {
    return new PrivateKeyJwtProvider({ ...common, privateKey, algorithm });
  }
  if (clientId !== '' && !identityProvider && clientSecret !== undefined) {
    return new ClientCredentialsProvider({ ...common, clientSecret });
  }
  throw new PorticoError(
    'CONFIG_INVALID',
    `Server "${server}": "auth" of its entry needs "clientId" and ${identityProvider ? '"clientSecret"' : '"clientSecret" or "privateKey"'}.`,
    { server },
  );
}
