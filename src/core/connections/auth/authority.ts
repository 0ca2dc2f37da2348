import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock';
import { type Disposable, DisposableStore } from '../../../base/disposable';
import { PorticoError } from '../../../base/errors';
import type { LogFactory } from '../../../base/log';
import { orAborted } from '../../../base/orAborted';
import type { ServerDefinition } from '../../config/configTypes';
import type { LaunchResolver } from '../connectionTypes';
import type { NetworkSettings } from '../remote/networkTypes';
import type { ResolvedRemote } from '../remote/remoteTypes';
import type { Auth, AuthAccount, AuthPorts, ConnectionAuth, DiagnosisStep } from './authTypes';
import { FileLock } from './fileLock';
import { ServerAuth } from './serverAuth';

export interface AuthorityDependencies {
  readonly ports: AuthPorts;
  readonly resolve: LaunchResolver;
  /** The entry with this id. Throws SERVER_UNKNOWN. */
  readonly definitionOf: (server: string) => ServerDefinition;
  /** Whether the server may be talked to at all; asks the person where they have not said so yet. */
  readonly allow: (definition: ServerDefinition, signal: AbortSignal) => Promise<void>;
  /** Starts anew what runs, as another account; and what waited for a sign-in, where there is one now. */
  readonly restart: (server: string, signedIn: boolean) => Promise<void>;
  /** Another window has signed in: starts what waits for that. */
  readonly signedInElsewhere: (server: string) => Promise<void>;
  readonly clock: Clock;
  readonly logs: LogFactory;
  /** The environment's alone when absent. */
  readonly network?: NetworkSettings;
}

/** Signing in to all servers over HTTP; one per hub, there once the first remote server starts or somebody signs in. */
export class Authority implements Auth, ConnectionAuth, Disposable {
  private readonly store = new DisposableStore();
  private readonly lock: FileLock;
  private readonly servers = new Map<string, ServerAuth>();

  constructor(private readonly dependencies: AuthorityDependencies) {
    const { ports, clock } = dependencies;
    this.lock = new FileLock(ports.lockFolder, clock);
  }

  wrap(definition: ServerDefinition, launch: ResolvedRemote, next: FetchLike): FetchLike {
    return this.of(definition, launch).wrap(next);
  }

  async signInToUse(definition: ServerDefinition, signal: AbortSignal): Promise<void> {
    await (await this.need(definition, true)).signInToUse(signal);
  }

  async signIn(
    server: string,
    { signal, newAccount = false }: { readonly signal: AbortSignal; readonly newAccount?: boolean },
  ): Promise<void> {
    const definition = this.dependencies.definitionOf(server);
    await this.dependencies.allow(definition, signal);
    await (await this.need(definition, true)).signIn(signal, newAccount);
    await this.dependencies.restart(server, true);
  }

  async signOut(server: string, account?: string): Promise<void> {
    const auth = await this.need(this.dependencies.definitionOf(server), false);
    const entries = await auth.store.entries();
    for (const entry of entries.filter(({ id }) => account === undefined || id === account)) {
      await auth.signOut(entry);
    }
    auth.forget();
    await this.dependencies.restart(server, false);
  }

  async useAccount(server: string, account: string): Promise<void> {
    const auth = await this.need(this.dependencies.definitionOf(server), false);
    const { key } = auth.definition;
    if (!(await auth.store.use(server, account))) {
      throw new PorticoError('AUTH_FAILED', `Server "${key}" has no such account any more. Sign in again.`, {
        server: key,
      });
    }
    auth.forget();
    await this.dependencies.restart(server, true);
  }

  async accounts(server: string): Promise<readonly AuthAccount[]> {
    return (await this.need(this.dependencies.definitionOf(server), false)).store.accounts(server);
  }

  async diagnose(server: string, onStep: (step: DiagnosisStep) => void, signal: AbortSignal): Promise<void> {
    const auth = await this.need(this.dependencies.definitionOf(server), true);
    const { diagnose } = await import('./diagnose');
    const { ports, clock } = this.dependencies;
    await orAborted(
      diagnose(auth, onStep, { clientMetadataUrl: ports.clientMetadataUrl.peek(), now: clock.now(), signal }),
      signal,
      'The diagnosis',
    );
  }

  dispose(): void {
    this.store.dispose();
    for (const server of this.servers.values()) {
      server.dispose();
    }
  }

  private async need(definition: ServerDefinition, interactive: boolean): Promise<ServerAuth> {
    const launch = await this.dependencies.resolve(definition, interactive);
    if (launch.type === 'stdio') {
      throw new PorticoError(
        'NOT_SUPPORTED',
        `Server "${definition.key}" is a process: there is nothing to sign in to.`,
        {
          server: definition.key,
        },
      );
    }
    return this.of(definition, launch);
  }

  private of(definition: ServerDefinition, launch: ResolvedRemote): ServerAuth {
    const known = this.servers.get(definition.id);
    if (known?.isFor(definition, launch)) {
      return known;
    }
    known?.dispose();
    const { ports, clock, logs, network } = this.dependencies;
    const fresh = new ServerAuth(definition, launch, {
      ports,
      lock: this.lock,
      clock,
      log: logs.forServer(definition.key),
      ...(network ? { network } : {}),
    });
    fresh.onDidSignInElsewhere(() => {
      this.dependencies.signedInElsewhere(definition.id).catch((error: unknown) => {
        logs.own.error(`${definition.key} could not be started after a sign-in in another window.`, error);
      });
    });
    this.servers.set(definition.id, fresh);
    return fresh;
  }
}
