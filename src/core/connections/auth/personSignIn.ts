import { type AccountRecord, scopesOf } from './accountStore';
import type { Kept } from './accountTokens';
import type { AuthEntry } from './authEntry';
import type { AuthorizationUi } from './authTypes';
import { type Challenge, unite } from './challenge';
import type { Discovered } from './discovery';
import { signIn } from './signIn';
import { accountName, expiryOf } from './tokenFacts';

/** Takes the person through one sign-in and keeps the account: in place of `kept`, or as one more. */
export async function signInPerson(
  auth: AuthEntry,
  ui: AuthorizationUi,
  challenge: Challenge | undefined,
  kept: Kept | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { definition, settings, store, fetch, dependencies } = auth;
  const found = await auth.discover(challenge, kept?.record.issuer, signal);
  const issuer = found.metadata?.issuer ?? found.authorizationServer;
  const { clientId } = settings;
  const bound = settings.issuer ?? (clientId === undefined ? undefined : await store.boundIssuer(clientId));
  const signedIn = await signIn({
    definition,
    found,
    settings: { ...settings, ...(bound === undefined ? {} : { issuer: bound }) },
    clientMetadataUrl: dependencies.ports.clientMetadataUrl.peek(),
    scope: scopeFor(auth, challenge, found, kept?.record),
    ui,
    fetch,
    signal,
    registration: {
      get: () => store.client(issuer),
      set: (client) => store.saveClient(issuer, client),
    },
  });
  const record = { ...signedIn, ...expiryOf(signedIn.tokens, dependencies.clock.now()) };
  if (clientId !== undefined) {
    await store.bind(clientId, signedIn.issuer);
  }
  const entry = await store.add(definition.id, record, accountName(signedIn.tokens), kept?.entry);
  dependencies.log.info(`Signed in to "${definition.key}" as ${entry.label} at ${entry.issuer}.`);
}

/** The challenge's scopes, else those that the resource names, else none; beside what was had when more is wanted. */
function scopeFor(
  { settings }: AuthEntry,
  challenge: Challenge | undefined,
  { resource }: Discovered,
  record: AccountRecord | undefined,
): string | undefined {
  const before = challenge?.status === 403 && record ? unite(scopesOf(record), record.requested) : undefined;
  const wanted = before ?? challenge?.scope ?? unite(resource?.scopes_supported);
  return unite(wanted, challenge?.scope, settings.scopes);
}
