import type { ServerDefinition } from '../../core/config/configTypes';

type Named = Pick<ServerDefinition, 'id' | 'source' | 'consentDigest'>;

/**
 * How `portico.trust.servers` names a server. An entry of the workspace is named with what it runs: any folder may call
 * its server as the person calls a trusted one.
 */
export function trustName({ id, source, consentDigest }: Named): string {
  return source.scope === 'user' ? id : `${id}#${consentDigest.slice(0, 12)}`;
}
