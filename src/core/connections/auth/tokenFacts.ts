import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import { shortText } from '../../../base/plainText';

/** Whether it can stand in a header as it is: visible ASCII, which is more than RFC 6750 section 2.1 has. */
export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);
}

/** When the token ends, where the server says so; in milliseconds since the epoch. */
export function expiryOf({ expires_in: seconds }: StoredOAuthTokens, now: number): { readonly expiresAt?: number } {
  return typeof seconds === 'number' && Number.isFinite(seconds) ? { expiresAt: now + seconds * 1_000 } : {};
}

/** Whose the account is, as the id token says; only for people to read, so that it is not verified. */
export function accountName({ id_token: token }: StoredOAuthTokens): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8')) as unknown;
    if (typeof claims !== 'object' || claims === null) {
      return undefined;
    }
    const fields: Readonly<Record<string, unknown>> = { ...claims };
    const name = ['email', 'preferred_username', 'name'].map((key) => fields[key]).find((it) => typeof it === 'string');
    return (typeof name === 'string' && shortText(name, 100)) || undefined;
  } catch {
    return undefined;
  }
}
