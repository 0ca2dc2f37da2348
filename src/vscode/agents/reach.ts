import { Client, ProtocolError, ProtocolErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PorticoError } from '../../base/errors';
import type { AgentEntry } from './agentTypes';

export interface ReachSurroundings {
  /** Of the process that is started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Takes what the bridge writes for people. */
  readonly say: (line: string) => void;
}

/** Longer than this no agent waits, in milliseconds. */
const patienceMs = 30_000;

/**
 * Does what an agent will do with an entry: starts the program or calls the address, and lists the tools. Gives their
 * number; nothing is left running. Rejects with CONNECT_FAILED where no window answers.
 */
export async function countTools(entry: AgentEntry, surroundings: ReachSurroundings): Promise<number> {
  const { signal, version } = surroundings;
  const late = AbortSignal.timeout(patienceMs);
  const options = { signal: AbortSignal.any([signal, late]), timeout: patienceMs };
  const client = new Client({ name: 'portico-connection-test', version });
  const transport = transportOf(entry, surroundings);
  const stop = (): void => void transport.close();
  options.signal.addEventListener('abort', stop);
  try {
    options.signal.throwIfAborted();
    await client.connect(transport, options);
    const { tools } = await client.listTools(undefined, options);
    await assertWindow(client, options);
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
      await transport.terminateSession();
    }
    return tools.length;
  } catch (error) {
    throw late.aborted && !signal.aborted
      ? new PorticoError('CONNECT_FAILED', `There was no answer within ${patienceMs / 1_000} seconds.`, {
          cause: error,
        })
      : error;
  } finally {
    options.signal.removeEventListener('abort', stop);
    await client.close();
    await transport.close();
  }
}

/** Whoever closes it waits until the process has ended, also where another has begun to close it. */
class ProcessTransport extends StdioClientTransport {
  private closing: Promise<void> | undefined;

  override close(): Promise<void> {
    return (this.closing ??= super.close());
  }
}

function transportOf(entry: AgentEntry, { env, cwd, say }: ReachSurroundings) {
  if (entry.kind === 'url') {
    return new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers: { ...entry.headers } } });
  }
  const { command, args } = entry;
  const whole = Object.entries({ ...env, ...entry.env }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const transport = new ProcessTransport({
    command,
    args: [...args],
    env: Object.fromEntries(whole),
    cwd,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => chunk.toString('utf8').trimEnd().split('\n').forEach(say));
  return transport;
}

/** The bridge answers also while it has no window, from what it knows: only a window knows that there is no such resource. */
async function assertWindow(client: Client, options: { readonly signal: AbortSignal }): Promise<void> {
  try {
    await client.readResource({ uri: 'portico-connection-test:none' }, options);
  } catch (error) {
    if (!(error instanceof ProtocolError)) {
      throw error;
    }
    if (error.code === ProtocolErrorCode.InternalError) {
      throw new PorticoError('CONNECT_FAILED', error.message, { cause: error });
    }
  }
}
