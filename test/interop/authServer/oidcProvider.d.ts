/** The little of it that tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Token {
    readonly aud?: string;
    readonly scope?: string;
    readonly grantId?: string;
  }

  interface Tokens {
    find(value: string): Promise<Token | undefined>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: Tokens;
    readonly RefreshToken: Tokens;
    callback(): RequestListener;
  }
}
