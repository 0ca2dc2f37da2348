import { isObject } from '../../base/jsonObject';
import type { AuthSettings } from './configTypes';

interface Fault {
  readonly what: string;
  readonly path: readonly (string | number)[];
}

/** Keys as other hosts write them: `CLIENT_ID`, `client_id` and `clientId` are one. */
const names: ReadonlyMap<string, Exclude<keyof AuthSettings, 'identityProvider' | 'scopes'>> = new Map([
  ['clientid', 'clientId'],
  ['clientsecret', 'clientSecret'],
  ['issuer', 'issuer'],
  ['authorizationserver', 'issuer'],
  ['grant', 'grant'],
  ['granttype', 'grant'],
  ['privatekey', 'privateKey'],
  ['algorithm', 'algorithm'],
]);
const providerKeys = ['issuer', 'tokenEndpoint', 'clientId', 'clientSecret', 'idToken'] as const;

/** Reads `auth`, or `oauth` as other hosts call it; what is wrong with it is added to the faults. */
export function readAuth(fields: ReadonlyMap<string, unknown>, faults: Fault[]): AuthSettings | undefined {
  const key = ['auth', 'oauth'].find((name) => isObject(fields.get(name)));
  const written = key === undefined ? undefined : fields.get(key);
  if (key === undefined || !isObject(written)) {
    // "auth": "oauth" and "oauth": false are switches of other hosts; here the server decides.
    return undefined;
  }
  const texts: Partial<Record<string, string>> = {};
  const rest: { scopes?: readonly string[]; identityProvider?: Readonly<Record<string, string>> } = {};
  for (const [name, value] of Object.entries(written)) {
    const plain = name.toLowerCase().replace(/[-_]/g, '');
    const known = names.get(plain);
    if (value === undefined || value === null) {
      continue;
    }
    if (plain === 'scopes' || plain === 'scope') {
      const scopes = readScopes(value);
      if (scopes === undefined) {
        faults.push({ what: `has "${name}" in "${key}" that is no list of texts: write ["…"]`, path: [key, name] });
      } else {
        rest.scopes = scopes;
      }
    } else if (plain === 'identityprovider') {
      const provider = readProvider(value);
      if (provider === undefined) {
        faults.push({
          what: `has "${name}" in "${key}" that lacks something: write {"issuer": …, "clientId": …, "idToken": …}`,
          path: [key, name],
        });
      } else {
        rest.identityProvider = provider;
      }
    } else if (known !== undefined) {
      if (typeof value === 'string') {
        texts[known] = value;
      } else {
        faults.push({ what: `has "${name}" in "${key}" that is not a text`, path: [key, name] });
      }
    }
  }
  if (texts['grant'] !== undefined && !/^(authorization_?code|client_?credentials)$/i.test(texts['grant'])) {
    faults.push({
      what: `has an unknown "grant" in "${key}": write "authorizationCode" or "clientCredentials"`,
      path: [key, 'grant'],
    });
  }
  const { grant, ...others } = texts;
  const settings = {
    ...others,
    ...(grant === undefined ? {} : { grant: /^client/i.test(grant) ? 'clientCredentials' : 'authorizationCode' }),
    ...rest,
  } as AuthSettings;
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function readScopes(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') {
    return value.split(/\s+/).filter(Boolean);
  }
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value.flatMap((item: string) => item.split(/\s+/).filter(Boolean))
    : undefined;
}

function readProvider(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const texts = providerKeys.flatMap((key) => (typeof value[key] === 'string' ? [[key, value[key]] as const] : []));
  const provider = Object.fromEntries(texts);
  return ['issuer', 'clientId', 'idToken'].every((key) => key in provider) ? provider : undefined;
}
