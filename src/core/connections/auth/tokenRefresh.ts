import {
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { PorticoError, toProblem } from '../../../base/errors';
import { shortText } from '../../../base/plainText';
import type { AccountRecord } from './accountStore';
import { checkAnswers } from './authAnswers';
import { type Discovered, isSameIssuer, shown } from './discovery';

/** `ended`: the authorization server says that this sign-in is over. */
export type Refreshed = StoredOAuthTokens | 'ended';

/** Over for good, and not just out of order: only these log out. */
const ENDING: readonly string[] = [
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
];

/** Renews tokens at the server that issued them. Rejects with CONNECT_FAILED where that does not work at the moment. */
export async function refreshTokens(
  record: AccountRecord,
  found: Discovered,
  server: string,
  fetch: FetchLike,
): Promise<Refreshed> {
  const { tokens, client, issuer } = record;
  if (
    tokens.refresh_token === undefined ||
    !isSameIssuer(issuer, found.metadata?.issuer ?? found.authorizationServer)
  ) {
    return 'ended';
  }
  try {
    const renewed = await refreshAuthorization(found.authorizationServer, {
      ...(found.metadata ? { metadata: found.metadata } : {}),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      resource: found.resource?.resource ?? found.serverUrl,
      fetchFn: checkAnswers(fetch, server),
    });
    // A scope that stays the same need not be repeated.
    return { ...(tokens.scope === undefined ? {} : { scope: tokens.scope }), ...renewed, issuer };
  } catch (error) {
    if (error instanceof OAuthError && ENDING.includes(error.code)) {
      return 'ended';
    }
    throw new PorticoError(
      'CONNECT_FAILED',
      `Server "${server}": its sign-in could not be renewed at ${shown(issuer)}: ${reasonOf(error, server)} You stay signed in; try again later.`,
      { server },
    );
  }
}

/** What a sentence about the server can go on with. */
function reasonOf(error: unknown, server: string): string {
  return shortText(toProblem(error).message.replace(`Server "${server}": `, ''));
}
