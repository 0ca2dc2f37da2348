import type { ContentBlock } from '@modelcontextprotocol/server';
import { gatewayUri } from '../gatewayUris';

/** A part with its link or embedded resource by the address that it has at the gateway. */
export function withGatewayUri<T extends ContentBlock>(part: T, server: string): T {
  if (part.type === 'resource_link') {
    return { ...part, uri: gatewayUri(server, part.uri) };
  }
  return part.type === 'resource'
    ? { ...part, resource: { ...part.resource, uri: gatewayUri(server, part.resource.uri) } }
    : part;
}
