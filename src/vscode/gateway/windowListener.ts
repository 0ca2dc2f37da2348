import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { ClientTokens } from '../../server/clientTokens';
import type { LocalListener } from '../../server/listener';
import type { AgentClient, ListenerAddress, LocalAddress, LoopbackAddress, Route } from '../../server/serverTypes';
import type { Listening } from '../interop/listening';

/** The window's listener. Its address is chosen at once, so that definitions can name it; its code is loaded when needed. */
export class WindowListener implements Listening, Disposable {
  private readonly store = new DisposableStore();
  private readonly nonce = randomBytes(16).toString('hex');
  private loading: Promise<{ readonly listener: LocalListener; readonly clients: ClientTokens }> | undefined;

  /** @param urls told where it can be reached by HTTP */
  constructor(
    private readonly log: Logger,
    private readonly urls: Signal<readonly string[]>,
  ) {}

  async planned(): Promise<LocalAddress> {
    const { chooseLocalAddress } = await import('../../server/localAddress');
    return chooseLocalAddress({
      platform: process.platform,
      tmpdir: tmpdir(),
      runtimeDir: process.env['XDG_RUNTIME_DIR'],
      uid: process.getuid?.(),
      nonce: this.nonce,
    });
  }

  async start(): Promise<{ readonly address: ListenerAddress; readonly token: string }> {
    const { listener } = await this.load();
    return { address: await listener.start(), token: listener.token };
  }

  async startLoopback(preferredPort: number): Promise<LoopbackAddress> {
    return (await this.load()).listener.startLoopback(preferredPort);
  }

  async stopLoopback(): Promise<void> {
    await (await this.load()).listener.stopLoopback();
  }

  async addRoute(route: Route): Promise<Disposable> {
    return (await this.load()).listener.addRoute(route);
  }

  async letIn(client: AgentClient, token: string, grant = client.id): Promise<void> {
    (await this.load()).clients.add(client, token, grant);
  }

  async turnAway(grant: string): Promise<void> {
    (await this.load()).clients.revoke(grant);
  }

  async present(): Promise<ReadonlySignal<readonly AgentClient[]>> {
    return (await this.load()).listener.present;
  }

  dispose(): void {
    this.store.dispose();
  }

  private load(): NonNullable<typeof this.loading> {
    this.loading ??= (async () => {
      const [{ LocalListener: Listener }, { ClientTokens: Tokens }] = await Promise.all([
        import('../../server/listener'),
        import('../../server/clientTokens'),
      ]);
      const clients = this.store.add(new Tokens());
      return {
        clients,
        listener: this.store.add(new Listener(await this.planned(), { log: this.log, clients, urls: this.urls })),
      };
    })();
    return this.loading;
  }
}
