import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Gateway, GatewayPorts } from '../../server/gateway/gateway';
import type { LocalListener } from '../../server/listener';
import type { LocalAddress } from '../../server/localAddress';

/** Where and how the editor reaches one endpoint: the parts of its URI and the headers of every request. */
export interface Reach {
  readonly uri: {
    readonly scheme: string;
    readonly authority?: string;
    readonly path: string;
    readonly fragment?: string;
  };
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The listener and the gateway behind it. Its address is chosen at once, so that definitions can name it; its code is
 * loaded and it listens when the editor first connects.
 */
export class GatewayService implements Disposable {
  private readonly store = new DisposableStore();
  private readonly nonce = randomBytes(16).toString('hex');
  private running: Promise<{ readonly listener: LocalListener; readonly gateway: Gateway }> | undefined;
  private gateway: Gateway | undefined;

  constructor(private readonly ports: GatewayPorts) {}

  hasSession(id: string): boolean {
    return this.gateway?.hasSession(id) ?? false;
  }

  /** Where the endpoint will be, without starting anything. */
  async plannedUri(id: string): Promise<Reach['uri']> {
    const [{ localUriParts }, { routeOf }] = await Promise.all([
      import('../../server/localAddress'),
      import('../../server/gateway/routes'),
    ]);
    return localUriParts(await this.address(), `/gateway/${routeOf(id)}`);
  }

  /** Listens, and says where the endpoint is now. Rejects with LISTENER_FAILED. */
  async reach(id: string): Promise<Reach> {
    const { routeOf } = await import('../../server/gateway/routes');
    const { listener } = await this.run();
    const address = await listener.start();
    const headers = { Authorization: `Bearer ${listener.token}` };
    return address.kind === 'tcp'
      ? {
          uri: { scheme: 'http', authority: `${address.host}:${address.port}`, path: `/gateway/${routeOf(id)}` },
          headers,
        }
      : { uri: await this.plannedUri(id), headers };
  }

  dispose(): void {
    this.store.dispose();
  }

  private run(): NonNullable<typeof this.running> {
    this.running ??= this.load();
    return this.running;
  }

  private async load(): Promise<{ readonly listener: LocalListener; readonly gateway: Gateway }> {
    const [{ LocalListener: Listener }, { Gateway: EndpointGateway }] = await Promise.all([
      import('../../server/listener'),
      import('../../server/gateway/gateway'),
    ]);
    const listener = this.store.add(new Listener(await this.address(), { log: this.ports.log }));
    const gateway = this.store.add(new EndpointGateway(this.ports));
    this.store.add(listener.addRoute(gateway.route));
    this.gateway = gateway;
    return { listener, gateway };
  }

  private async address(): Promise<LocalAddress> {
    const { chooseLocalAddress } = await import('../../server/localAddress');
    return chooseLocalAddress({
      platform: process.platform,
      tmpdir: tmpdir(),
      runtimeDir: process.env['XDG_RUNTIME_DIR'],
      uid: process.getuid?.(),
      nonce: this.nonce,
    });
  }
}
