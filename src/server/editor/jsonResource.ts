import type { ReadResourceResult } from '@modelcontextprotocol/server';

/** A view as JSON: stale at once, and of nobody else's concern (spec: server/utilities/caching). */
export function jsonResource(uri: string, value: unknown, meta?: Record<string, unknown>): ReadResourceResult {
  return {
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify(value, null, 2),
        ...(meta === undefined ? {} : { _meta: meta }),
      },
    ],
  };
}
