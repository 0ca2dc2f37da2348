import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { loopDelayDuring } from '../loopDelay';
import { timed, type Sample } from '../measure';
import { openTestHub } from '../../harness/testHub';
import { ended, rawHttp, rawStdio, type RawClient } from './rawClient';

export const rawServer = resolve('test/bench/servers/rawServer.mjs');
const huge = 256 * 1024 * 1024;
const bigResource = 'bench://big';
const args = { text: 'x'.repeat(64) };

export type Measure = 'echo' | 'big' | 'mega' | 'flood' | 'list' | 'read';

/** What each arm can do, so that all are measured by the same steps. */
interface Subject {
  echo(): Promise<unknown>;
  big(): Promise<unknown>;
  mega(): Promise<unknown>;
  /** 10,000 notifications, and an answer behind them. */
  flood(): Promise<unknown>;
  list(): Promise<unknown>;
  /** A resource of 10 MB. */
  read(): Promise<unknown>;
  close(): Promise<void>;
}

function overRaw(client: RawClient): Subject {
  return {
    echo: () => client.send('tools/call', { name: 'echo', arguments: args }),
    big: () => client.send('tools/call', { name: 'big', arguments: {} }),
    mega: () => client.send('tools/call', { name: 'mega', arguments: {} }),
    flood: () => client.send('tools/call', { name: 'flood', arguments: {} }),
    list: () => client.send('tools/list', {}),
    read: () => client.send('resources/read', { uri: bigResource }),
    close: () => client.close(),
  };
}

function overSdk(client: Client): Subject {
  return {
    echo: () => client.callTool({ name: 'echo', arguments: args }),
    big: () => client.callTool({ name: 'big', arguments: {} }),
    mega: () => client.callTool({ name: 'mega', arguments: {} }),
    flood: () => client.callTool({ name: 'flood', arguments: {} }),
    list: () => client.listTools(undefined, { cacheMode: 'refresh' }),
    read: () => client.readResource({ uri: bigResource }),
    close: () => client.close(),
  };
}

async function overHub(entry: object): Promise<Subject> {
  const { hub, close } = await openTestHub({ raw: entry });
  await hub.start('raw', { interactive: false });
  const caller = { kind: 'manual', label: 'bench' } as const;
  return {
    echo: () => hub.callTool({ server: 'raw', name: 'echo' }, args, { caller }),
    big: () => hub.callTool({ server: 'raw', name: 'big' }, {}, { caller }),
    mega: () => hub.callTool({ server: 'raw', name: 'mega' }, {}, { caller }),
    flood: () => hub.callTool({ server: 'raw', name: 'flood' }, {}, { caller }),
    list: () => hub.refresh('raw', { interactive: false }),
    read: () => hub.readResource('raw', bigResource),
    close,
  };
}

type Opener = (env: NodeJS.ProcessEnv) => Promise<Subject>;

/** An HTTP arm has its server in a process of its own. */
function http(open: (port: number) => Promise<Subject>): Opener {
  return async (env) => {
    const server = spawn(process.execPath, [rawServer, 'http'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const port = await new Promise<number>((resolve) =>
      server.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))),
    );
    const subject = await open(port);
    return {
      ...subject,
      close: async () => {
        await subject.close();
        await ended(server);
      },
    };
  };
}

const sdkInfo = { name: 'sdk', version: '1.0.0' };

export const openers: Readonly<Record<string, Opener>> = {
  'stdio-raw': async (env) => overRaw(await rawStdio([rawServer, 'stdio'], env)),
  'stdio-sdk': async (env) => {
    const client = new Client(sdkInfo);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [rawServer, 'stdio'],
        env: env as Record<string, string>,
        maxBufferSize: huge,
      }),
    );
    return overSdk(client);
  },
  'stdio-portico': (env) =>
    overHub({ command: process.execPath, args: [rawServer, 'stdio'], env: { TOOLS: env['TOOLS'] ?? '3' } }),
  'http-raw': http(async (port) => overRaw(await rawHttp(port))),
  'http-sdk': http(async (port) => {
    const client = new Client(sdkInfo);
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
    return overSdk(client);
  }),
  'http-portico': http((port) => overHub({ type: 'http', url: `http://127.0.0.1:${port}/mcp` })),
};

/** `{measure, tools}` → median time of one in microseconds, and how long the event loop was held up meanwhile. */
export async function callArm(
  arm: string,
  options: { readonly measure: Measure; readonly tools?: number },
): Promise<Sample> {
  const subject = await openers[arm]!({ ...process.env, TOOLS: String(options.tools ?? 3) });
  // Listed first, as a host does, so that no arm pays for it inside a call.
  await subject.list();
  const [times, warmUp] = options.measure === 'echo' ? [2000, 500] : [7, 2];
  let us = NaN;
  const delay = await loopDelayDuring(async () => {
    us = await timed(() => subject[options.measure](), times, warmUp);
  });
  await subject.close();
  return { us, ...delay };
}
