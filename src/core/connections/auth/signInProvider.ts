import {
  type AuthorizationServerMetadata,
  isHttpsUrl,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  resourceUrlFromServerUrl,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { AuthSettings } from '../../config/configTypes';
import type { AuthorizationTrip } from './authTypes';
import type { Discovered } from './discovery';

export interface SignInOptions {
  readonly found: Discovered;
  readonly trip: AuthorizationTrip;
  readonly state: string;
  readonly settings: AuthSettings;
  readonly clientMetadataUrl: string | undefined;
  readonly scope: string | undefined;
  /** An earlier dynamic registration at this authorization server. */
  readonly registered: StoredOAuthClientInformation | undefined;
}

/** One sign-in as the SDK's `auth()` wants it: nothing is kept here but what this trip needs and brings. */
export class SignInProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly validateResourceURL?: (serverUrl: string | URL) => Promise<URL | undefined>;
  /** Where the browser has to go; there once `auth()` has said REDIRECT. */
  page: URL | undefined;
  /** What the trip brought. */
  signedIn: StoredOAuthTokens | undefined;
  client: StoredOAuthClientInformation | undefined;
  /** The authorization server no longer knows the client. */
  isForgotten = false;
  private verifier = '';

  constructor(private readonly options: SignInOptions) {
    const { found, settings, clientMetadataUrl, registered } = options;
    const supported = found.metadata?.client_id_metadata_document_supported === true;
    const document = clientMetadataUrl !== undefined && isHttpsUrl(clientMetadataUrl) ? clientMetadataUrl : undefined;
    if (document !== undefined) {
      this.clientMetadataUrl = document;
    }
    if (!found.resource) {
      // A server of 2025-03-26; the token is for its address all the same (RFC 8707).
      this.validateResourceURL = async (serverUrl) => resourceUrlFromServerUrl(serverUrl);
    }
    if (settings.clientId !== undefined) {
      this.client = {
        client_id: settings.clientId,
        issuer: this.issuer,
        ...(settings.clientSecret === undefined ? {} : { client_secret: settings.clientSecret }),
      };
    } else if (!(supported && document !== undefined) && registered && isFor(registered, options)) {
      this.client = registered;
    }
  }

  get issuer(): string {
    return this.options.found.metadata?.issuer ?? this.options.found.authorizationServer;
  }

  get redirectUrl(): string {
    return this.options.trip.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Portico',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod(this.options.found.metadata),
    };
  }

  /** What can be registered at all, for the message that asks for a client id. */
  get canRegister(): boolean {
    const { metadata } = this.options.found;
    return (
      this.client !== undefined ||
      metadata === undefined ||
      metadata.registration_endpoint !== undefined ||
      (metadata.client_id_metadata_document_supported === true && this.clientMetadataUrl !== undefined)
    );
  }

  state(): string {
    return this.options.state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }

  /** None: this is a sign-in, and a refresh goes another way. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.signedIn = tokens;
  }

  redirectToAuthorization(page: URL): void {
    this.page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  /** What was found before; the SDK's own search neither says what it tried nor checks addresses. */
  discoveryState(): OAuthDiscoveryState {
    const { authorizationServer, metadata, resource, resourceMetadataUrl } = this.options.found;
    return {
      authorizationServerUrl: authorizationServer,
      ...(metadata ? { authorizationServerMetadata: metadata } : {}),
      ...(resource ? { resourceMetadata: resource } : {}),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    };
  }

  saveDiscoveryState(): void {}

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'client' || scope === 'all') {
      this.client = undefined;
      this.isForgotten = true;
    }
  }
}

/** A public client where that is possible: an extension keeps no secret. Else what the server can do. */
export function authMethod(metadata: AuthorizationServerMetadata | undefined): string {
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  const wanted = ['none', 'client_secret_basic', 'client_secret_post'];
  return wanted.find((method) => supported.includes(method)) ?? 'none';
}

/** A registration serves the addresses and scopes that it was made with alone (OAuth 2.1 section 2.3.1, RFC 7591 section 2). */
function isFor(client: StoredOAuthClientInformation, { trip, scope }: SignInOptions): boolean {
  if (!('redirect_uris' in client) || !client.redirect_uris.includes(trip.redirectUrl)) {
    return false;
  }
  const allowed = client.scope?.split(' ');
  return allowed === undefined || (scope?.split(' ') ?? []).every((one) => allowed.includes(one));
}
