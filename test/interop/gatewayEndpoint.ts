import { openTestHub, type TestHub } from '../harness/testHub';
import { GatewayHarness } from '../unit/server/gatewayHarness';
import { noCache } from './noCache';
import { TokenProxy } from './tokenProxy';

/** One server behind Portico's gateway, reached over a loopback port by clients that have no token. */
export class GatewayEndpoint {
  private constructor(
    private readonly proxy: TokenProxy,
    private readonly gateway: GatewayHarness,
    private readonly test: TestHub,
    readonly url: URL,
  ) {}

  static async open(id: string, entry: object): Promise<GatewayEndpoint> {
    const test = await openTestHub({ [id]: entry }, { cache: noCache });
    // Lists don't wait for a slow start; what is looked at here is what a known server's endpoint says.
    await test.hub.start(id, { interactive: false });
    const gateway = await GatewayHarness.open(test.hub);
    const proxy = await TokenProxy.open(gateway.address, gateway.token);
    return new GatewayEndpoint(proxy, gateway, test, proxy.url(gateway.path(id)));
  }

  async close(): Promise<void> {
    await this.proxy.close();
    this.gateway.dispose();
    await this.test.close();
  }
}
