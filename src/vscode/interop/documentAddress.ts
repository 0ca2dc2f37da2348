import type { Resource } from '@modelcontextprotocol/client';
import type { Services } from './contribution';
import { documentName } from './documentName';
import { type DocumentAddress, type ResourceAddress, toDocumentAddress } from './resourceAddress';

/**
 * The address of a resource's document, whether or not it has been read: `workspace.fs` reads it too. Where the last read
 * brought several contents and no part is named, it is the first one's. `listed`: the entry of the server's list, where
 * it is at hand.
 */
export function documentAddress(
  { hub, resources }: Pick<Services, 'hub' | 'resources'>,
  { server, uri, part }: ResourceAddress,
  listed?: Resource,
): DocumentAddress {
  const parts = resources.of({ server, uri })?.parts ?? [];
  const place = part ?? (parts.length > 1 ? 0 : undefined);
  const content = parts[place ?? 0];
  const entry =
    listed ??
    hub
      .server(server)
      ?.lists.peek()
      .resources.items.find((one) => one.uri === uri);
  const mimeType = content?.mimeType ?? entry?.mimeType;
  const named = {
    uri: place === undefined ? uri : (content?.uri ?? uri),
    mimeType,
    ...(content === undefined ? {} : { text: content.text }),
  };
  return toDocumentAddress({ server, uri, ...(place === undefined ? {} : { part: place }) }, documentName(named));
}
