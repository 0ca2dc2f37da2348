import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Entries of one answer. */
export const pageSize = 500;

/**
 * One page of a list whose entries have distinct names; the cursor is the last name of the page before. Rejects with
 * invalid params where that entry is gone (spec: server/utilities/pagination).
 */
export function pageOf<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  cursor: string | undefined,
): { readonly page: readonly T[]; readonly nextCursor?: string } {
  const before = cursor === undefined ? undefined : decode(cursor);
  const from = before === undefined ? 0 : items.findIndex((item) => nameOf(item) === before) + 1;
  if (cursor !== undefined && from === 0) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The cursor belongs to a list that has changed. List again from the beginning.',
    );
  }
  const page = items.slice(from, from + pageSize);
  const last = page.at(-1);
  return last === undefined || from + pageSize >= items.length
    ? { page }
    : { page, nextCursor: Buffer.from(nameOf(last), 'utf8').toString('base64url') };
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}
