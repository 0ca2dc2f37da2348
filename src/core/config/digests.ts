import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/jsonObject';
import type { AuthSettings, Launch } from './configTypes';

/** JSON with sorted keys, so that order and formatting do not count. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = value as JsonObject;
    const keys = Object.keys(fields).filter((key) => fields[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(fields[key])}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

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
