import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { AuthEntry, TokenSource } from './authEntry';
import { type Challenge, unite } from './challenge';
import { signInAsMachine } from './machineSignIn';

/** Tokens that no person signs in for: got for the client itself, and kept in memory alone. */
export class MachineTokens implements TokenSource {
  /** What was got, and as what scopes it was wanted. */
  private got: { readonly tokens: StoredOAuthTokens; readonly scope: string | undefined } | undefined;

  constructor(private readonly entry: AuthEntry) {}

  async current(): Promise<string | undefined> {
    return this.got?.tokens.access_token;
  }

  renew(challenge: Challenge, used: string | undefined, signal?: AbortSignal): Promise<string> {
    const { definition, settings, store, fetch, dependencies } = this.entry;
    return dependencies.lock.run(store.machineName, async () => {
      if (this.got && this.got.tokens.access_token !== used) {
        return this.got.tokens.access_token;
      }
      const found = await this.entry.discover(challenge, undefined, signal);
      const before = challenge.status === 403 ? this.got?.scope : undefined;
      const wanted = before ?? challenge.scope ?? unite(found.resource?.scopes_supported);
      const scope = unite(wanted, challenge.scope, settings.scopes);
      const { clientId = '', issuer } = settings;
      const tokens = await signInAsMachine({
        server: definition.key,
        found,
        settings,
        bound: issuer ?? (await store.boundIssuer(clientId)),
        scope,
        fetch,
      });
      await store.bind(clientId, found.metadata?.issuer ?? found.authorizationServer);
      this.got = { tokens, scope };
      return tokens.access_token;
    });
  }
}
