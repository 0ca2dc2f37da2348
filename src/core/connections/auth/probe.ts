import { type FetchLike, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client';

/** Asks the server for what every revision knows, with no token: how it refuses says how to sign in. */
export async function probe(
  fetch: FetchLike,
  serverUrl: URL,
  headers: Readonly<Record<string, string>>,
): ReturnType<FetchLike> {
  const stop = new AbortController();
  try {
    return await fetch(serverUrl, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: LATEST_PROTOCOL_VERSION,
          capabilities: {},
          clientInfo: { name: 'portico', version: '0' },
        },
      }),
      signal: stop.signal,
    });
  } finally {
    stop.abort();
  }
}
