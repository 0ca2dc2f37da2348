import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Throws invalid params for a cursor to a list that is given whole: nobody got one (spec: server/utilities/pagination). */
export function assertFirstPage(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The cursor is not one of this list, which has one page. List again without it.',
    );
  }
}
