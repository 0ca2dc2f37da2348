import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { anything } from '../../base/anything';
import type { Answerer } from '../../core/connections/connectionTypes';

/** A person answers: the longest that a timer can wait. */
const longestMs = 2 ** 31 - 1;

/**
 * The client that made a request, as the one who answers what the request itself leads to: it is asked on the request's
 * own stream. The stateless era has no such way, so nothing is asked there.
 */
export function chatAnswerer(server: Server, { mcpReq }: ServerContext, tell: (message: string) => void): Answerer {
  return {
    capabilities: mcpReq.envelope === undefined ? (server.getClientCapabilities() ?? {}) : {},
    answer: (method, params, signal) =>
      mcpReq.send({ method, params: params as Record<string, unknown> }, anything, {
        signal: AbortSignal.any([signal, mcpReq.signal]),
        timeout: longestMs,
      }),
    tell,
  };
}
