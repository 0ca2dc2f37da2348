import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';

/** The least a client can do: ids in a map, JSON in and out, nothing checked. */
export interface RawClient {
  send(method: string, params: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1.0.0' } };

export async function rawStdio(args: readonly string[], env: NodeJS.ProcessEnv): Promise<RawClient> {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (message: unknown) => void>();
  let rest: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      rest.push(chunk.subarray(start, at));
      const line = rest.length === 1 ? rest[0]! : Buffer.concat(rest);
      rest = [];
      start = at + 1;
      const message = JSON.parse(line.toString()) as { id: number };
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start));
    }
  });
  let next = 0;
  const send = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      next += 1;
      waiting.set(next, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: next, method, params })}\n`);
    });
  await send('initialize', handshake);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return { send, close: () => ended(child) };
}

export async function rawHttp(port: number): Promise<RawClient> {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  const post = (message: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(message);
      const outgoing = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          path: '/mcp',
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve(chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const send = (method: string, params: unknown): Promise<unknown> => {
    next += 1;
    return post({ jsonrpc: '2.0', id: next, method, params });
  };
  await send('initialize', handshake);
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    send,
    close: async () => {
      agent.destroy();
    },
  };
}

/** Closes a child's stdin and waits for its end. */
export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.stdin?.end();
  });
}
