import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenerAddress } from '../../src/server/serverTypes';
import { dialOf } from '../unit/server/socketFetch';

/**
 * A loopback port before a listener, for clients that dial no sockets and send no headers: it adds the token, rewrites its
 * own authority in Host and Origin to the listener's, and passes on all else as it is.
 */
export class TokenProxy {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async open(address: ListenerAddress, token: string): Promise<TokenProxy> {
    const target = address.kind === 'tcp' ? `${address.host}:${address.port}` : 'localhost';
    let own = '';
    const rewritten = (text: string): string => text.replace(own, target);
    const server = createServer((request, response) => {
      const { host, origin } = request.headers;
      const onward = forward({
        ...dialOf(address),
        agent: false,
        method: request.method,
        path: request.url,
        headers: {
          ...request.headers,
          authorization: `Bearer ${token}`,
          ...(host === undefined ? {} : { host: host === own ? target : host }),
          ...(origin === undefined ? {} : { origin: origin === `http://${own}` ? rewritten(origin) : origin }),
        },
      });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    own = `localhost:${port}`;
    return new TokenProxy(server, port);
  }

  url(path: string): URL {
    return new URL(path, `http://localhost:${this.port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
