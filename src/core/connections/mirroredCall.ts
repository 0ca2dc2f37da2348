import { ProtocolError, type Tool } from '@modelcontextprotocol/client';
import type { RequestOptions } from './connectionTypes';
import { paramHeaders, readParamHeaders } from './paramHeaders';
import type { Fields } from './readEntries';
import type { Session } from './sessionTypes';

const METHOD = 'tools/call';
const HEADER_MISMATCH = -32020;

/** The tools of the server as it last listed them. */
export interface ListedTools {
  get(name: unknown): Tool | undefined;
  renew(): Promise<void>;
}

/**
 * Sends `tools/call` with the headers that the tool wants. Where the server finds them wrong, its tools are listed anew
 * and it is sent once more (spec: 2026-07-28 basic/transports/streamable-http, client behavior).
 */
export async function callMirrored(
  session: Session,
  params: Fields,
  options: RequestOptions,
  tools: ListedTools,
): Promise<unknown> {
  const send = (): Promise<unknown> => {
    const declared = readParamHeaders(tools.get(params['name'])?.inputSchema);
    const headers = typeof declared === 'string' ? {} : paramHeaders(declared, params['arguments']);
    return session.request(METHOD, params, { ...options, headers });
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ProtocolError && error.code === HEADER_MISMATCH)) {
      throw error;
    }
    await tools.renew();
    return send();
  }
}
