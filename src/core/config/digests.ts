import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonicalJson';
import type { AuthSettings, Launch } from './configTypes';

export function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** What a person agrees to: everything of a launch but the values of its environment and headers, and secrets. */
export function consentDigestOf(launch: Launch): string {
  if (launch.type === 'stdio') {
    const { type, command, args, cwd, envFile } = launch;
    return digest({ type, command, args, cwd, envFile, envKeys: Object.keys(launch.env).sort() });
  }
  const headerNames = Object.keys(launch.headers).map((name) => name.toLowerCase());
  return digest({ type: launch.type, url: launch.url, headerNames: headerNames.sort(), auth: authOf(launch.auth) });
}

/** Who signs in where, and what for. */
function authOf(auth: AuthSettings | undefined): unknown {
  if (auth === undefined) {
    return undefined;
  }
  const { clientSecret, privateKey, identityProvider, ...shown } = auth;
  return {
    ...shown,
    given: Object.entries({ clientSecret, privateKey }).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    identityProvider: identityProvider && { ...identityProvider, clientSecret: undefined, idToken: undefined },
  };
}
