const skills = 'The extension for skills (SEP-2640) is not built: a skill is a resource like any other.';
const proofs = 'Tokens are bearer tokens: proofs of possession (RFC 9449) are not built.';

/** Scenarios of extensions that are not built, by name, with the reason. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  'auth/dpop': proofs,
  'auth/dpop-nonce': proofs,
  'auth/wif-jwt-bearer': 'Assertions of a workload (RFC 7523 as a grant) are not built: the editor runs for a person.',
  'sep-2640-client-no-prefetch': skills,
  'sep-2640-client-verify-digest': skills,
  'sep-2640-client-verify-size': skills,
  'sep-2640-client-verify-frontmatter': skills,
};
