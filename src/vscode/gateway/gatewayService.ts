import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Gateway, GatewayPorts } from '../../server/gateway/gateway';
import type { Listening } from '../interop/listening';

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

/** The endpoints of the servers on the window's listener. Their code is loaded when the editor first connects. */
export class GatewayService implements Disposable {
  private readonly store = new DisposableStore();
  private loading: Promise<void> | undefined;
  private gateway: Gateway | undefined;

  constructor(
    private readonly listening: Listening,
    private readonly ports: GatewayPorts,
  ) {}

  hasSession(id: string): boolean {
    return this.gateway?.hasSession(id) ?? false;
  }

  /** Where the endpoint will be, without starting anything. */
  async plannedUri(id: string): Promise<Reach['uri']> {
    const [{ localUriParts }, { routeOf }] = await Promise.all([
      import('../../server/localAddress'),
      import('../../server/gateway/routes'),
    ]);
    return localUriParts(await this.listening.planned(), `/gateway/${routeOf(id)}`);
  }

  /** Listens, and says where the endpoint is now. Rejects with LISTENER_FAILED. */
  async reach(id: string): Promise<Reach> {
    const { routeOf } = await import('../../server/gateway/routes');
    await (this.loading ??= this.load());
    const { address, token } = await this.listening.start();
    const headers = { Authorization: `Bearer ${token}` };
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

  private async load(): Promise<void> {
    const { Gateway: EndpointGateway } = await import('../../server/gateway/gateway');
    const gateway = this.store.add(new EndpointGateway(this.ports));
    this.store.add(await this.listening.addRoute(gateway.route));
    this.gateway = gateway;
  }
}
