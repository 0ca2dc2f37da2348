import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { median, type Sample } from '../measure';
import type { Use } from './editorServer';
import { ended } from './rawClient';

/** Who answers: Portico's editor server; the server and HTTP transport of the SDK, now or in its first version; Node's http alone. */
export type ServerKind = 'portico' | 'sdk' | 'firstSdk' | 'node';

const tokenHeader = (token: string): Record<string, string> =>
  token === '' ? {} : { authorization: `Bearer ${token}` };
const atOnce = 16;

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  readonly uri: string;
  readonly home: string;
  readonly folder: string;
}

/** Starts a server in a process of its own; it says in one line where it is. */
export async function startServer(server: ServerKind): Promise<Started> {
  const args = ['--expose-gc', process.argv[1] ?? '', '--arm', 'editorServer', JSON.stringify({ server })];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
  const line = await new Promise<string>((told) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) {
        told(text);
      }
    });
  });
  return { child, ...(JSON.parse(line) as Omit<Started, 'child'>) };
}

/** The least that a client of the session era can do over one kept connection per request in flight. */
async function openClient({ port, token }: Pick<Started, 'port' | 'token'>) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  let session: string | undefined;
  let last = 0;
  const post = (message: object): Promise<string> =>
    new Promise((done, failed) => {
      const body = JSON.stringify(message);
      const outgoing = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          path: '/editor',
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'content-length': Buffer.byteLength(body),
            ...tokenHeader(token),
            ...(session === undefined ? {} : { 'mcp-session-id': session }),
          },
        },
        (response) => {
          const id = response.headers['mcp-session-id'];
          session = typeof id === 'string' ? id : session;
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => done(Buffer.concat(chunks).toString()));
        },
      );
      outgoing.on('error', failed);
      outgoing.end(body);
    });
  const send = (method: string, params: object): Promise<string> => {
    last += 1;
    return post({ jsonrpc: '2.0', id: last, method, params });
  };
  const clientInfo = { name: 'bench', version: '1' };
  await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { send, close: () => agent.destroy() };
}

function useOf({ child }: Started, use: Use): Promise<number> {
  return new Promise((told) => {
    child.once('message', (value) => told(value as number));
    child.send(use);
  });
}

/** `{server}` → requests per second with 16 in flight and the server's processor time for each; p50 and p99 of one at a time. In microseconds. */
export async function editorRequestsArm(arm: string): Promise<Sample> {
  const started = await startServer(arm.slice('editorRequests-'.length) as ServerKind);
  const client = await openClient(started);
  const steps = {
    read: () => client.send('resources/read', { uri: started.uri }),
    call: () => client.send('tools/call', { name: 'read_file', arguments: { file: 'src/a.ts' } }),
  };
  const sample: Record<string, number> = {};
  for (const [name, step] of Object.entries(steps)) {
    if (!(await step()).includes('const value')) {
      throw new Error(`${arm}: ${name} gives no file.`);
    }
    for (let count = 0; count < 600; count += 1) {
      await step();
    }
    const times: number[] = [];
    for (let count = 0; count < 1_500; count += 1) {
      const start = performance.now();
      await step();
      times.push((performance.now() - start) * 1000);
    }
    times.sort((a, b) => a - b);
    await useOf(started, 'heap');
    const before = await useOf(started, 'processor');
    const start = performance.now();
    const each = 250;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let count = 0; count < each; count += 1) {
          await step();
        }
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    const after = await useOf(started, 'processor');
    sample[`${name}PerSecond`] = (atOnce * each) / seconds;
    sample[`${name}Processor`] = (after - before) / (atOnce * each);
    sample[`${name}P50`] = median(times);
    sample[`${name}P99`] = times[Math.floor(times.length * 0.99)] ?? 0;
  }
  client.close();
  await ended(started.child);
  return sample;
}

/** One call at a time through the bridge and straight over the socket's port, and how long the bridge takes to be ready. */
export async function editorBridgeArm(): Promise<Sample> {
  const started = await startServer('portico');
  const ready: number[] = [];
  const hops: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    const bridge = spawn(process.execPath, [resolve('dist/bridge.js')], {
      cwd: started.folder,
      env: { ...process.env, PORTICO_HOME: started.home },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let rest = '';
    let answered: (line: string) => void = () => undefined;
    bridge.stdout.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      lines.filter((line) => line.includes('"id":')).forEach((line) => answered(line));
    });
    const ask = (id: number, method: string, params: object): Promise<string> =>
      new Promise((done) => {
        answered = done;
        bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
    const clientInfo = { name: 'bench', version: '1' };
    await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    ready.push(performance.now() - begun);
    bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    for (let id = 2; id < 402; id += 1) {
      const start = performance.now();
      await ask(id, 'resources/read', { uri: started.uri });
      hops.push((performance.now() - start) * 1000);
    }
    await ended(bridge);
  }
  const client = await openClient(started);
  const direct: number[] = [];
  for (let count = 0; count < 2_000; count += 1) {
    const start = performance.now();
    await client.send('resources/read', { uri: started.uri });
    direct.push((performance.now() - start) * 1000);
  }
  client.close();
  await ended(started.child);
  return { ready: median(ready), bridge: median(hops), direct: median(direct) };
}

/** Memory of the server's process, in bytes, for each client of the session era that is there and says nothing. */
export async function editorIdleArm(): Promise<Sample> {
  const started = await startServer('portico');
  const count = 100;
  (await openClient(started)).close();
  const before = await useOf(started, 'heap');
  const clients = await Promise.all(Array.from({ length: count }, () => openClient(started)));
  const after = await useOf(started, 'heap');
  clients.forEach((client) => client.close());
  await ended(started.child);
  return { bytes: (after - before) / count };
}
