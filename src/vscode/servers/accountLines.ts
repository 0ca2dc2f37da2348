import { toProblem } from '../../base/errors';
import type { AuthAccount } from '../../core/connections/auth/authTypes';
import type { Hub, ServerView } from '../../core/hubTypes';
import { plainLine } from '../interop/text';

/** The accounts that a server is used with, a line each, that in use first; none for a process. */
export async function accountLines(hub: Hub, { id, definition }: ServerView): Promise<readonly string[]> {
  if (definition.launch.type === 'stdio') {
    return [];
  }
  try {
    const accounts = await (await hub.auth()).accounts(id);
    return [...accounts].sort((one, other) => Number(other.inUse) - Number(one.inUse)).map(accountLine);
  } catch (error) {
    return [`Its accounts could not be read: ${plainLine(toProblem(error).message, 300)}`];
  }
}

/** `Account 1 at as.example.com, in use, may: files:read files:write` */
export function accountLine({ label, issuer, scopes, inUse }: AuthAccount): string {
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer;
  const may = scopes.length > 0 ? `, may: ${plainLine(scopes.join(' '), 300)}` : '';
  return `${plainLine(label, 80)} at ${plainLine(host, 100)}${inUse ? ', in use' : ''}${may}`;
}
