import type { Tool } from '@modelcontextprotocol/client';
import { PorticoError } from '../../base/errors';

/** The connection broke, or the stream ended, while a remote server worked on a request: nobody knows whether it did the work. */
export class ReplyLost extends PorticoError {
  constructor(message: string, server: string, cause?: unknown) {
    super('CONNECTION_LOST', message, { server, cause });
  }
}

/**
 * Whether a request may be sent once more although the server may have done it already. All but tool calls read alone;
 * of a tool that is known by its own annotations only. (A server that lies in them repeats its own work.)
 */
export function isRepeatable(
  method: string,
  params: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
): boolean {
  if (method !== 'tools/call') {
    return true;
  }
  const { readOnlyHint, idempotentHint } = tools.find(({ name }) => name === params['name'])?.annotations ?? {};
  return readOnlyHint === true || idempotentHint === true;
}
