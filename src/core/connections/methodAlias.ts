import type { Transport } from '@modelcontextprotocol/client';

const PREFIX = 'portico:';

/**
 * In the stateless era the SDK checks a result against the schema of its method even when the caller brings its own,
 * so one bad entry would cost a whole list. Under an alias it knows no schema; on the wire the name is the real one.
 */
export function aliasMethod(method: string): string {
  return PREFIX + method;
}

/** Takes the aliases off what this transport sends. */
export function unaliasSends<T extends Transport>(transport: T): T {
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    'method' in message && message.method.startsWith(PREFIX)
      ? send({ ...message, method: message.method.slice(PREFIX.length) }, options)
      : send(message, options);
  return transport;
}
