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

const folder = '/resources/';
const document = /^\/resources\/[^/]+\/[^/]+$/;

/**
 * The document of a resource. The editor normalises the URIs that it is given, so the server's stands coded in the
 * query, where nothing touches it; the path is for people, and its last name's ending gives the language.
 */
export function toDocumentAddress({ server, uri, part }: ResourceAddress, name: string): DocumentAddress {
  const coded = JSON.stringify(part === undefined ? [server, uri] : [server, uri, part]);
  return {
    scheme,
    path: `${folder}${fileName(server)}/${fileName(name)}`,
    query: Buffer.from(coded).toString('base64url'),
  };
}

/** The resource of a document; nothing where the address is none of a document that `toDocumentAddress` made. */
export function toResourceAddress(address: DocumentAddress): ResourceAddress | undefined {
  if (address.scheme !== scheme || !document.test(address.path)) {
    return undefined;
  }
  let coded: unknown;
  try {
    coded = JSON.parse(Buffer.from(address.query, 'base64url').toString());
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
