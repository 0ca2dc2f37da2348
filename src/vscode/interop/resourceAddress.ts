import { scheme } from '../../ids';
import { fileName } from './fileName';

/** A resource by its server's id and its URI as the server has it, byte for byte. */
export interface ResourceAddress {
  readonly server: string;
  readonly uri: string;
  /** One of several contents of a read, by its place. */
  readonly part?: number;
}

/** The parts of the editor's URI of a document. */
export interface DocumentAddress {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

const withQuery = /^\/resources\/[^/]+\/[^/]+$/;
const withoutQuery = /^\/resources\/([\w-]+)\/[^/]+\/[^/]+$/;

/**
 * The document of a resource. The editor normalises the URIs that it is given, so the server's stands coded in the
 * query, where nothing touches it; the path is for people, and its last name's ending gives the language.
 */
export function toDocumentAddress(address: ResourceAddress, name: string): DocumentAddress {
  return {
    scheme,
    path: `/resources/${fileName(address.server)}/${fileName(name)}`,
    query: toCode(address),
  };
}

/** The same by a path alone, for links between documents: of a relative link the editor takes no query. */
export function toDocumentPath(address: ResourceAddress, name: string): string {
  return `/resources/${toCode(address)}/${fileName(address.server)}/${fileName(name)}`;
}

/** The resource of a document; nothing where the address is none of a document that the functions above made. */
export function toResourceAddress({ scheme: ofAddress, path, query }: DocumentAddress): ResourceAddress | undefined {
  const code = withQuery.test(path) ? query : withoutQuery.exec(path)?.[1];
  if (ofAddress !== scheme || code === undefined) {
    return undefined;
  }
  let coded: unknown;
  try {
    coded = JSON.parse(Buffer.from(code, 'base64url').toString());
  } catch {
    // Not ours: somebody made the address up.
    return undefined;
  }
  const [server, uri, part] = Array.isArray(coded) ? (coded as unknown[]) : [];
  if (typeof server !== 'string' || typeof uri !== 'string') {
    return undefined;
  }
  return typeof part === 'number' && Number.isInteger(part) && part >= 0 ? { server, uri, part } : { server, uri };
}

function toCode({ server, uri, part }: ResourceAddress): string {
  return Buffer.from(JSON.stringify(part === undefined ? [server, uri] : [server, uri, part])).toString('base64url');
}
