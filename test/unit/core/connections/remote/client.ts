import { Client } from '@modelcontextprotocol/client';
import { type Clock, systemClock } from '../../../../../src/base/clock';
import { openSse, openStreamable } from '../../../../../src/core/connections/remote/remoteTransport';
import type { RemoteTransport } from '../../../../../src/core/connections/remote/remoteTypes';

export const MESSAGE_BYTES = 30_000_000;

export interface Opened {
  readonly client: Client;
  readonly transport: RemoteTransport;
  /** What the transport reported beside the calls. */
  readonly errors: Error[];
}

interface OpenOptions {
  readonly headers?: Record<string, string>;
  readonly clock?: Clock;
  readonly messageBytes?: number;
  readonly type?: 'http' | 'sse';
  readonly mode?: 'auto' | 'legacy';
}

/** A client of the SDK on the transport under test, not yet connected. */
export function open(url: string, options: OpenOptions = {}): Opened {
  const { headers = {}, clock = systemClock, messageBytes = MESSAGE_BYTES, type = 'http', mode = 'legacy' } = options;
  const dependencies = { server: 'remote', clock, messageBytes };
  const transport =
    type === 'http'
      ? openStreamable({ type, url, headers }, dependencies)
      : openSse({ type, url, headers }, dependencies);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const errors: Error[] = [];
  client.onerror = (error) => void errors.push(error);
  return { client, transport, errors };
}

/** The same, connected. */
export async function connect(url: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = open(url, options);
  try {
    await opened.client.connect(opened.transport);
  } catch (error) {
    await opened.transport.close();
    throw error;
  }
  return opened;
}
