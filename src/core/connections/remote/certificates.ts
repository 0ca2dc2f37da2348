import { readFile } from 'node:fs/promises';
import tls, { type SecureContext } from 'node:tls';

/** Newer Nodes have it (22.15). */
interface Stores {
  readonly getCACertificates?: (store: 'default' | 'system') => readonly string[];
}

const contexts = new Map<string, Promise<SecureContext | undefined>>();

/**
 * What decides whom to trust beyond Node's own list: the authorities of the operating system, where this Node can read them, and
 * those of NODE_EXTRA_CA_CERTS, which not every host of this program reads by itself. Nothing where there are none. Read once.
 */
export function trustContext(
  system: boolean,
  extraFile: string | undefined = process.env['NODE_EXTRA_CA_CERTS'],
): Promise<SecureContext | undefined> {
  const key = JSON.stringify([system, extraFile]);
  const known = contexts.get(key) ?? readContext(system, extraFile);
  contexts.set(key, known);
  return known;
}

async function readContext(system: boolean, extraFile: string | undefined): Promise<SecureContext | undefined> {
  const { getCACertificates } = tls as Stores;
  const more = [...(system && getCACertificates ? getCACertificates('system') : []), ...(await readExtra(extraFile))];
  if (more.length === 0) {
    return undefined;
  }
  const own = getCACertificates ? getCACertificates('default') : tls.rootCertificates;
  return tls.createSecureContext({ ca: [...new Set([...own, ...more])] });
}

async function readExtra(file: string | undefined): Promise<readonly string[]> {
  if (!file) {
    return [];
  }
  try {
    const text = await readFile(file, 'utf8');
    return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  } catch {
    // Node itself warns of a file that it cannot read, and goes on without.
    return [];
  }
}
