import { type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client';
import type { AccountRecord } from './accountStore';
import { whyRefused } from './authFetch';
import { type Discovered, isSameIssuer } from './discovery';

/** Tells the authorization server that the tokens are not needed any more (RFC 7009), where it wants to know. */
export async function revoke(
  { issuer, client, tokens }: AccountRecord,
  found: Discovered,
  fetch: FetchLike,
): Promise<void> {
  const { metadata, serverUrl } = found;
  const endpoint = metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  if (!metadata || typeof endpoint !== 'string' || !isSameIssuer(metadata.issuer, issuer)) {
    return;
  }
  if (whyRefused(endpoint, serverUrl) !== undefined) {
    return;
  }
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  const isLong = tokens.refresh_token !== undefined;
  const body = new URLSearchParams({
    token: tokens.refresh_token ?? tokens.access_token,
    token_type_hint: isLong ? 'refresh_token' : 'access_token',
  });
  const secret = client.client_secret ?? '';
  switch (selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? [])) {
    case 'client_secret_basic':
      headers.set('authorization', `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`);
      break;
    case 'client_secret_post':
      body.set('client_secret', secret);
      body.set('client_id', client.client_id);
      break;
    case 'none':
      body.set('client_id', client.client_id);
      break;
  }
  await fetch(endpoint, { method: 'POST', headers, body: body.toString() });
}
