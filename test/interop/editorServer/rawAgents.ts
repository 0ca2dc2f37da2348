import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { EditorAgent } from './editorAgent';
import type { EditorWindow } from './editorWindow';

class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly uri?: string };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export type Era = 'session' | 'stateless';

const clientInfo = { name: 'raw', version: '1' };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function messageOf(era: Era, id: number, method: string, params: Record<string, unknown>): string {
  const all = era === 'stateless' ? { ...params, _meta: envelope } : params;
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: all });
}

function resultOf({ result, error }: Message): Record<string, unknown> {
  if (error !== undefined) {
    throw new RpcFailure(error.code, error.message);
  }
  return result ?? {};
}

/** HTTP written by hand on a TCP socket, or on that of the window: one connection per request, read until it is closed. */
export async function rawHttp(era: Era, window: EditorWindow, over: 'port' | 'socket'): Promise<EditorAgent> {
  let session = '';
  let last = 0;
  const streams: (() => void)[] = [];

  function exchange(method: string, body: string, more: readonly string[], onMessage?: (message: Message) => void) {
    const { socket: local, url } = window;
    const socket =
      over === 'port' || local.kind === 'tcp' ? connect(Number(url.port), url.hostname) : connect(local.path);
    const head = [
      `${method} /editor HTTP/1.1`,
      `Host: ${over === 'port' ? url.host : 'localhost'}`,
      `Authorization: ${window.authorization}`,
      'Accept: application/json, text/event-stream',
      'Connection: close',
      ...(session === '' ? [] : [`Mcp-Session-Id: ${session}`]),
      ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      ...more,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    let raw = '';
    let told = 0;
    socket.setEncoding('utf8').on('data', (text: string) => {
      raw += text;
      for (const line of raw.slice(told).split('\n').slice(0, -1)) {
        told += line.length + 1;
        if (line.startsWith('data: ')) {
          onMessage?.(JSON.parse(line.slice(6)) as Message);
        }
      }
    });
    const closed = new Promise<string>((resolve, reject) => {
      socket.once('close', () => resolve(raw)).once('error', reject);
    });
    return { closed, end: () => socket.destroy() };
  }

  function headersOf(method: string, params: Record<string, unknown>): readonly string[] {
    const name = params['name'] ?? params['uri'];
    return era === 'session'
      ? []
      : [
          'MCP-Protocol-Version: 2026-07-28',
          `Mcp-Method: ${method}`,
          ...(['tools/call', 'prompts/get', 'resources/read'].includes(method) ? [`Mcp-Name: ${String(name)}`] : []),
        ];
  }

  async function request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    last += 1;
    const seen: Message[] = [];
    const body = messageOf(era, last, method, params);
    const raw = await exchange('POST', body, headersOf(method, params), (message) => seen.push(message)).closed;
    session = /^mcp-session-id: (\S+)/im.exec(raw)?.[1] ?? session;
    const answer = seen.find(({ id }) => id === last) ?? (JSON.parse(bodyOf(raw)) as Message);
    return resultOf(answer);
  }

  if (era === 'session') {
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await exchange('POST', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), []).closed;
  } else {
    await request('server/discover');
  }
  return {
    request,
    async subscribe(uri, updated) {
      const onMessage = ({ method, params }: Message): void => {
        if (method === 'notifications/resources/updated') {
          updated(params?.uri ?? '');
        } else if (method === 'notifications/subscriptions/acknowledged') {
          acknowledged();
        }
      };
      let acknowledged = (): void => undefined;
      if (era === 'session') {
        streams.push(exchange('GET', '', [], onMessage).end);
        await request('resources/subscribe', { uri });
        return;
      }
      last += 1;
      const method = 'subscriptions/listen';
      const body = messageOf(era, last, method, { notifications: { resourceSubscriptions: [uri] } });
      await new Promise<void>((resolve) => {
        acknowledged = resolve;
        streams.push(exchange('POST', body, headersOf(method, {}), onMessage).end);
      });
    },
    async close() {
      streams.forEach((end) => end());
      if (session !== '') {
        await exchange('DELETE', '', []).closed;
      }
    },
  };
}

/** The body of a whole answer, its chunks put together. */
function bodyOf(raw: string): string {
  const at = raw.indexOf('\r\n\r\n');
  const [head, body] = [raw.slice(0, at), raw.slice(at + 4)];
  if (!/^transfer-encoding: chunked/im.test(head)) {
    return body;
  }
  let bytes = Buffer.from(body);
  let whole = '';
  for (;;) {
    const end = bytes.indexOf('\r\n');
    const size = parseInt(bytes.toString('utf8', 0, end), 16);
    if (!(size > 0)) {
      return whole;
    }
    whole += bytes.toString('utf8', end + 2, end + 2 + size);
    bytes = bytes.subarray(end + 2 + size + 2);
  }
}

/** Lines written to the bridge by hand. */
export async function rawBridge(era: Era, window: EditorWindow): Promise<EditorAgent> {
  const { command, args, cwd, env } = window.bridge();
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<unknown, (message: Message) => void>();
  let onNotice: (message: Message) => void = () => undefined;
  let last = 0;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      if (message.method === undefined) {
        waiting.get(message.id)?.(message);
      } else {
        onNotice(message);
      }
    }
  });

  async function request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    last += 1;
    const answer = new Promise<Message>((resolve) => waiting.set(last, resolve));
    child.stdin.write(`${messageOf(era, last, method, params)}\n`);
    return resultOf(await answer);
  }

  if (era === 'session') {
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  } else {
    await request('server/discover');
  }
  return {
    request,
    async subscribe(uri, updated) {
      const acknowledged = new Promise<void>((resolve) => {
        onNotice = ({ method, params }) => {
          if (method === 'notifications/resources/updated') {
            updated(params?.uri ?? '');
          } else if (method === 'notifications/subscriptions/acknowledged') {
            resolve();
          }
        };
      });
      if (era === 'session') {
        await request('resources/subscribe', { uri });
        return;
      }
      last += 1;
      const params = { notifications: { resourceSubscriptions: [uri] } };
      child.stdin.write(`${messageOf(era, last, 'subscriptions/listen', params)}\n`);
      await acknowledged;
    },
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
