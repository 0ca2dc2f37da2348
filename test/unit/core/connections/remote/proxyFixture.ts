import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A proxy that reaches every host on the loopback, at the port that was asked for; it notes what it was asked. */
export class ProxyFixture {
  readonly seen: { readonly target: string; readonly account: string | undefined }[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** `account`: what the proxy wants to know, as `name:password`. */
  static async start(account?: string): Promise<ProxyFixture> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const fixture = new ProxyFixture(server, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    const admits = (target: string, header: string | undefined): boolean => {
      const given = header && Buffer.from(header.replace('Basic ', ''), 'base64').toString();
      fixture.seen.push({ target, account: given });
      return account === undefined || given === account;
    };
    server.on('connection', (socket) => fixture.sockets.add(socket));
    server.on('connect', (asked, client, head) => {
      if (!admits(asked.url ?? '', asked.headers['proxy-authorization'])) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      const upstream = connect(Number(asked.url?.split(':').at(-1)), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      });
      fixture.sockets.add(upstream);
      upstream.on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
    });
    server.on('request', (asked, answer) => {
      if (!admits(asked.url ?? '', asked.headers['proxy-authorization'])) {
        answer.writeHead(407).end();
        return;
      }
      const { port, pathname } = new URL(asked.url ?? '');
      const { method, headers } = asked;
      const upstream = request({ host: '127.0.0.1', port, path: pathname, method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 0, reply.headers);
        reply.pipe(answer);
      });
      asked.pipe(upstream);
    });
    return fixture;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export interface Certificates {
  /** The file of the authority's own certificate. */
  readonly ca: string;
  /** A key and a certificate for `mcp.test`; one that is no longer valid where asked for. */
  serverOptions(expired?: boolean): { readonly key: string; readonly cert: string };
  dispose(): void;
}

/** A certificate authority of this test alone. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'portico-ca-'));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): string =>
    execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Portico Test CA', '-days', '2');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=mcp.test');
  writeFileSync(file('names'), 'subjectAltName=DNS:mcp.test\n');
  return {
    ca: file('ca.pem'),
    serverOptions: (expired = false) => {
      const sign = ['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      const cert = openssl(...sign, '-extfile', 'names', '-days', expired ? '-1' : '1');
      return { key: openssl('pkey', '-in', 'server.key'), cert };
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
