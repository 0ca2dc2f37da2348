/** What a scenario hands out to sign in with; all of it optional. */
export interface Credentials {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly idp_issuer?: string;
  readonly idp_token_endpoint?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
}

/** The same as the entry of a server has it. What kind of client it is follows from what there is. */
export function credentials(given: Credentials, scenario: string): object | undefined {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = given;
  if (clientId === undefined) {
    return undefined;
  }
  const isMachine = privateKey !== undefined || scenario.includes('client-credentials');
  return {
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(isMachine ? { grant: 'clientCredentials' } : {}),
    ...(privateKey === undefined ? {} : { privateKey, algorithm: given.signing_algorithm }),
    ...(given.idp_issuer === undefined
      ? {}
      : {
          identityProvider: {
            issuer: given.idp_issuer,
            tokenEndpoint: given.idp_token_endpoint,
            clientId: given.idp_client_id,
            idToken: given.idp_id_token,
          },
        }),
  };
}
