import { unlinkSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { type Clock, systemClock } from '../base/clock';
import { type Disposable, DisposableStore } from '../base/disposable';
import { PorticoError } from '../base/errors';
import type { Logger } from '../base/log';
import { Sequencer } from '../base/sequencer';
import { ClientTokens, digestOf, editorChat, newToken } from './clientTokens';
import { RequestRouter } from './requestRouter';
import {
  type AgentClient,
  type ClientRegistry,
  LARGEST_BODY_BYTES,
  type ListenerAddress,
  type ListenerLimits,
  type LocalAddress,
  type LoopbackAddress,
  type Route,
} from './serverTypes';
import { ignoreMissing, makePrivateDirectory, removeStaleSockets } from './socketDirectory';

export const defaultListenerLimits: ListenerLimits = {
  bodyBytes: LARGEST_BODY_BYTES,
  headersMs: 10_000,
  requestMs: 60_000,
  checkMs: 5_000,
  burst: 20_000,
  perSecond: 2_000,
  unansweredBytes: 64 * 1024 * 1024,
  waitingBytes: 64 * 1024 * 1024,
};

/** Connections that may wait to be taken in: many agents start at once, and a socket turns away what is too much. */
const backlog = 4_096;

export interface ListenerSurroundings {
  readonly log: Logger;
  /** Who may ask beside the editor's own chat. */
  readonly clients?: ClientRegistry;
  /** Told where it can be reached by HTTP: `http://127.0.0.1:PORT`. */
  readonly urls?: Signal<readonly string[]>;
  readonly limits?: ListenerLimits;
  readonly uid?: number | undefined;
  readonly clock?: Clock;
}

/**
 * The one HTTP listener of a window. It listens from the first `start` to `dispose`, on a socket or pipe, or on a
 * loopback port where a socket cannot be made; and on a loopback port besides while somebody asked for one.
 */
export class LocalListener implements Disposable {
  /** What the editor's chat carries as `Authorization: Bearer …`. New with every listener, kept in memory alone. */
  readonly token = newToken();
  private readonly store = new DisposableStore();
  private readonly log: Logger;
  private readonly limits: ListenerLimits;
  private readonly uid: number | undefined;
  private readonly urls: Signal<readonly string[]> | undefined;
  private readonly router: RequestRouter;
  private started: Promise<ListenerAddress> | undefined;
  private readonly loopbackSteps = new Sequencer();
  private readonly servers = new Map<'local' | 'loopback', Server>();

  constructor(
    private readonly local: LocalAddress,
    surroundings: ListenerSurroundings,
  ) {
    const { log, clients, limits = defaultListenerLimits, clock = systemClock } = surroundings;
    this.log = log;
    this.limits = limits;
    this.urls = surroundings.urls;
    this.uid = 'uid' in surroundings ? surroundings.uid : process.getuid?.();
    const own = this.store.add(new ClientTokens());
    own.add(editorChat, this.token);
    const identify = (token: string): AgentClient | undefined => {
      const digest = digestOf(token);
      return own.identify(digest) ?? clients?.identify(digest);
    };
    this.router = new RequestRouter(identify, log, limits, clock);
    this.store.add(this.router);
    if (clients !== undefined) {
      this.store.add(clients.onDidRevoke((id) => this.router.endClient(id)));
    }
  }

  /** The clients that are there now, the editor's own chat among them. */
  get present(): ReadonlySignal<readonly AgentClient[]> {
    return this.router.presence.present;
  }

  addRoute(route: Route): Disposable {
    return this.router.add(route);
  }

  /** Listens unless it does already. Rejects with LISTENER_FAILED; the next call tries again. */
  start(): Promise<ListenerAddress> {
    this.started ??= this.open().catch((error: unknown) => {
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  /**
   * Listens on a loopback port too, unless it does already: on the preferred one where that is free and allowed, else on
   * any. Gives the address as it is now. Rejects with LISTENER_FAILED.
   */
  startLoopback(preferredPort = 0): Promise<LoopbackAddress> {
    return this.loopbackSteps.run(async () => {
      const server = this.servers.get('loopback');
      return server === undefined ? this.openLoopback(preferredPort) : loopbackAddress(server);
    });
  }

  /** Frees the loopback port and ends what is open on it. */
  stopLoopback(): Promise<void> {
    return this.loopbackSteps.run(async () => this.close('loopback'));
  }

  dispose(): void {
    this.store.dispose();
    this.close('loopback');
    this.closeLocal();
  }

  private closeLocal(): void {
    this.close('local');
    if (this.started !== undefined && this.local.kind === 'socket') {
      try {
        unlinkSync(this.local.path);
      } catch (error) {
        // Node has removed it already where closing went well.
        ignoreMissing(error);
      }
    }
  }

  private close(which: 'local' | 'loopback'): void {
    const server = this.servers.get(which);
    this.servers.delete(which);
    this.tell();
    server?.close();
    server?.closeAllConnections();
  }

  private async open(): Promise<ListenerAddress> {
    try {
      return await this.openLocal();
    } catch (error) {
      this.closeLocal();
      if (this.store.isDisposed) {
        throw error;
      }
      this.log.warn(`${this.local.path} cannot be listened on; using a loopback port instead: ${String(error)}`);
    }
    return loopbackAddress(await this.listen('local', { host: '127.0.0.1', port: 0 }));
  }

  private async openLocal(): Promise<ListenerAddress> {
    const { kind, path, directory } = this.local;
    if (directory !== undefined) {
      await makePrivateDirectory(directory, this.uid);
      await removeStaleSockets(directory);
    }
    await this.listen('local', { path });
    if (kind === 'socket') {
      await chmod(path, 0o600);
    }
    return { kind, path };
  }

  private async openLoopback(preferredPort: number): Promise<LoopbackAddress> {
    const listen = (port: number): Promise<Server> => this.listen('loopback', { host: '127.0.0.1', port });
    try {
      return loopbackAddress(await listen(preferredPort));
    } catch (error) {
      if (preferredPort === 0 || !isTaken(error)) {
        throw error;
      }
      this.log.info(`Port ${preferredPort} is taken or not allowed; another one is used.`);
      return loopbackAddress(await listen(0));
    }
  }

  private async listen(
    which: 'local' | 'loopback',
    where: { path: string } | { host: string; port: number },
  ): Promise<Server> {
    const { headersMs, requestMs, checkMs } = this.limits;
    const server = createServer(
      { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs },
      (request, response) => void this.router.serve(request, response, request.socket.localPort),
    );
    this.assertOpen();
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        reject(new PorticoError('LISTENER_FAILED', `Portico cannot listen: ${cause.message}.`, { cause }));
      });
      server.listen({ ...where, backlog }, resolve);
    });
    server.on('error', (error) => this.log.error('The listener failed.', error));
    this.servers.set(which, server);
    this.tell();
    if (this.store.isDisposed) {
      this.close(which);
    }
    this.assertOpen();
    return server;
  }

  private tell(): void {
    if (this.urls) {
      this.urls.value = [...this.servers.values()].flatMap((server) => {
        const address = server.address();
        return typeof address === 'object' && address !== null ? [`http://${address.address}:${address.port}`] : [];
      });
    }
  }

  private assertOpen(): void {
    if (this.store.isDisposed) {
      throw new PorticoError('CANCELLED', 'Portico is closing.', { show: false });
    }
  }
}

function loopbackAddress(server: Server): LoopbackAddress {
  return { kind: 'tcp', host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

/** Held by another program, or refused by the system (Windows reserves ranges). */
function isTaken(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && (cause.code === 'EADDRINUSE' || cause.code === 'EACCES');
}
