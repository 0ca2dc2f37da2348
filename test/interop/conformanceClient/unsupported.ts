const skills = 'The extension for skills (SEP-2640) is not built: a skill is a resource like any other.';
const unattended = 'Portico signs in a person, by an authorization code; programs sign in with a token in a header.';

/** Scenarios of extensions that are not built, by name, with the reason. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt': unattended,
  'auth/client-credentials-basic': unattended,
  'auth/wif-jwt-bearer': unattended,
  'auth/enterprise-managed-authorization':
    'The extension for identity providers of enterprises (SEP-990) is not built: a person signs in at the server.',
  'auth/dpop': 'Tokens are bearer tokens: proofs of possession (RFC 9449) are not built.',
  'auth/dpop-nonce': 'Tokens are bearer tokens: proofs of possession (RFC 9449) are not built.',
  'sep-2640-client-no-prefetch': skills,
  'sep-2640-client-verify-digest': skills,
  'sep-2640-client-verify-size': skills,
  'sep-2640-client-verify-frontmatter': skills,
};
