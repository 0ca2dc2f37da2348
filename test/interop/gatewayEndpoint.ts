import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openTestHub, type TestHub } from '../harness/testHub';
import { dialOf } from '../unit/server/socketFetch';
import { GatewayHarness } from '../unit/server/gatewayHarness';
import { noCache } from './noCache';

/**
 * One server behind Portico's gateway, reached over a loopback port that passes every request and answer on as it is;
 * clients that dial no sockets and send no headers get in by the token that it adds.
 */
export class GatewayEndpoint {
  private constructor(
    private readonly bridge: Server,
    private readonly gateway: GatewayHarness,
    private readonly test: TestHub,
    readonly url: URL,
  ) {}

  static async open(id: string, entry: object): Promise<GatewayEndpoint> {
    const test = await openTestHub({ [id]: entry }, { cache: noCache });
    // Lists don't wait for a slow start; what is looked at here is what a known server's endpoint says.
    await test.hub.start(id, { interactive: false });
    const gateway = await GatewayHarness.open(test.hub);
    const bridge = createServer((request, response) => {
      const onward = forward({
        ...dialOf(gateway.address),
        agent: false,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, authorization: `Bearer ${gateway.token}` },
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
    await new Promise<void>((done) => bridge.listen(0, '127.0.0.1', done));
    const { port } = bridge.address() as AddressInfo;
    return new GatewayEndpoint(bridge, gateway, test, new URL(gateway.path(id), `http://localhost:${port}`));
  }

  async close(): Promise<void> {
    this.bridge.closeAllConnections();
    await new Promise((done) => this.bridge.close(done));
    this.gateway.dispose();
    await this.test.close();
  }
}
