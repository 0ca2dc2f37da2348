import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { type Fields, type ReadEntry, unusable, withoutMistyped } from './readEntries';

const OPTIONAL = {
  title: 'string',
  description: 'string',
  mimeType: 'string',
  annotations: 'object',
  icons: 'array',
  _meta: 'object',
} as const;

/** A resource is usable with a URI; where the name is missing, the URI is its name. */
export function readResource(entry: Fields): ReadEntry<Resource> {
  return readByAddress<Resource>(entry, 'uri', 'resource');
}

export function readTemplate(entry: Fields): ReadEntry<ResourceTemplateType> {
  return readByAddress<ResourceTemplateType>(entry, 'uriTemplate', 'resource template');
}

function readByAddress<T>(entry: Fields, field: 'uri' | 'uriTemplate', what: string): ReadEntry<T> {
  const { name, [field]: address } = entry;
  if (typeof address !== 'string' || address === '') {
    return unusable(name, `The ${what} has no "${field}".`);
  }
  const kept = withoutMistyped(entry, OPTIONAL);
  const item = typeof name === 'string' && name !== '' ? kept : { ...kept, name: address };
  return { key: address, item: item as T };
}
