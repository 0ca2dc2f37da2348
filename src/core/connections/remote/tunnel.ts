import http from 'node:http';
import https, { type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { PorticoError } from '../../../base/errors';

const CONNECT_MS = 15_000;

export interface Proxy {
  readonly url: URL;
  /** Whether its own certificate is checked, where it is reached by https. */
  readonly strict: boolean;
  /** The config key that failures name. */
  readonly server: string;
}

/** Reads a proxy's address; the scheme may be left out. */
export function readProxy(written: string, strict: boolean, server: string): Proxy {
  const text = /^[a-z][\w+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    // It may hold a password, so it is not repeated.
    throw new PorticoError(
      'CONFIG_INVALID',
      `Server "${server}" cannot be reached: the proxy of "http.proxy" or of the environment is not an http or https address${url ? ` (${url.protocol})` : ''}. Correct it, or name the server's host in "http.noProxy".`,
      { server },
    );
  }
  return { url, strict, server };
}

/** The header by which a proxy knows who asks; from the name and password of its address. */
export function proxyHeaders({ url }: Proxy): Record<string, string> {
  const { username, password } = url;
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(account).toString('base64')}` };
}

/** What a failure of the proxy itself is reported as. */
export function proxyError({ url, server }: Proxy, what: string, cause?: unknown): PorticoError {
  return new PorticoError(
    'CONNECT_FAILED',
    `Server "${server}": the proxy ${url.host} ${what}. Check "http.proxy" in the settings, and HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment.`,
    { server, cause },
  );
}

/** What a proxy's refusal is reported as. */
export function proxyRefusal(proxy: Proxy, status: number): PorticoError {
  return proxyError(proxy, status === 407 ? 'wants a name and a password (HTTP 407)' : `refused (HTTP ${status})`);
}

/** Reaches https hosts through a proxy that opens a tunnel (RFC 9110 9.3.6); the server's own certificate is checked as ever. */
export class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxy: Proxy,
    options: AgentOptions,
  ) {
    super(options);
  }

  override createConnection(
    options: AgentOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const { host = '', port = 443 } = options as { host?: string; port?: number | string };
    this.open(host, Number(port)).then(
      (socket) => {
        const secure = super.createConnection({ ...options, socket } as AgentOptions);
        callback?.(null, secure as Duplex);
      },
      // Node takes a missing stream where there is an error.
      (error: Error) => callback?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }

  private open(host: string, port: number): Promise<Duplex> {
    const { url, strict } = this.proxy;
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const asked = request({
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port || (url.protocol === 'https:' ? 443 : 80),
        method: 'CONNECT',
        path: authority,
        headers: { host: authority, ...proxyHeaders(this.proxy) },
        agent: false,
        rejectUnauthorized: strict,
        timeout: CONNECT_MS,
      });
      asked.once('connect', ({ statusCode = 0 }, socket: Duplex) => {
        if (statusCode >= 200 && statusCode < 300) {
          resolve(socket);
        } else {
          socket.destroy();
          reject(proxyRefusal(this.proxy, statusCode));
        }
      });
      asked.once('response', (response) => {
        response.resume();
        reject(proxyRefusal(this.proxy, response.statusCode ?? 0));
      });
      asked.once('timeout', () => asked.destroy(new Error('timeout')));
      asked.on('error', (error: NodeJS.ErrnoException) =>
        reject(proxyError(this.proxy, `cannot be used (${error.code ?? error.message})`, error)),
      );
      asked.end();
    });
  }
}
