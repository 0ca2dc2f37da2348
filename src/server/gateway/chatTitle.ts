import { createHash } from 'node:crypto';

/** The editor names a tool `mcp_<title>_<tool>` and keeps this much of the title. */
const keptLength = 13;

/**
 * The title under which a server is announced: its key, unless the editor's cut would make it equal to another's. Then
 * the editor would number the two in the order they come; a hash of the key is the same after a restart.
 */
export function chatTitle(key: string, allKeys: readonly string[]): string {
  const clashes = allKeys.some((other) => other !== key && keptPart(other) === keptPart(key));
  if (!clashes) {
    return key;
  }
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 4);
  return `${key.slice(0, keptLength - hash.length - 1)}-${hash}`;
}

function keptPart(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, keptLength);
}
