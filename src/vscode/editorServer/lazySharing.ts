import { effect, signal } from '@preact/signals-core';
import { ConfigurationTarget, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { PorticoError } from '../../base/errors';
import { NewestList } from '../../base/newestList';
import { type LedgerEntry, maxLedgerEntries } from '../../server/ledgerTypes';
import type { AgentClient } from '../../server/serverTypes';
import { commands, contextKeys, settings } from '../../ids';
import { registerCommand } from '../interop/commands';
import { setContextKey } from '../interop/contextKeys';
import type { Contribution, Services } from '../interop/contribution';
import type { Sharing, SharingState, UrlReach } from '../interop/sharing';
import type { SharedSignals } from './sharedSignals';
import type { SharingService } from './sharing';

/** Sharing, whose code is loaded when it starts for the first time. */
export class LazySharing implements Sharing, SharedSignals, Disposable {
  private readonly store = new DisposableStore();
  private loading: Promise<SharingService> | undefined;
  readonly state = signal<SharingState>({ kind: 'off' });
  readonly present = signal<readonly AgentClient[]>([]);
  readonly reads = new NewestList<LedgerEntry>(maxLedgerEntries);
  readonly ledger = this.reads.items;

  readonly contribution: Contribution = { name: 'sharing', register: (services) => this.register(services) };

  /** @param services there once somebody starts it */
  constructor(private readonly services: () => Services) {}

  async start(): Promise<SharingState & { readonly kind: 'on' }> {
    const state = await (await this.load()).start();
    await this.setEnabled(true);
    return state;
  }

  async stop(): Promise<void> {
    await this.setEnabled(false);
    await (await this.load()).stop();
  }

  async letInByUrl(client: AgentClient): Promise<UrlReach> {
    await this.start();
    return (await this.load()).letInByUrl(client);
  }

  clearLedger(): void {
    this.reads.clear();
  }

  dispose(): void {
    this.store.dispose();
  }

  private register(services: Services): Disposable {
    const { logs } = services;
    const { agentsEnabled } = services.settings;
    const store = new DisposableStore();
    const fail = (error: unknown): void => {
      if (!PorticoError.is(error, 'CANCELLED')) {
        logs.own.error('This window cannot be shared with agents.', error);
      }
    };
    const follow = (): void => {
      if (agentsEnabled.peek() && workspace.isTrusted) {
        this.resume(services).catch(fail);
      } else if (this.loading) {
        this.loading.then((service) => service.pause()).catch(fail);
      }
    };
    store.defer(
      effect(() => {
        void agentsEnabled.value;
        follow();
      }),
    );
    store.add(workspace.onDidGrantWorkspaceTrust(follow));
    store.defer(effect(() => void setContextKey(contextKeys.sharing, this.state.value.kind === 'on')));
    store.add(registerCommand(commands.stopSharing, logs, () => this.stop()));
    return store;
  }

  /** As the settings want it; what the person has not agreed to yet is offered, not asked in a dialog. */
  private async resume({ context: { globalState }, settings: { agentsEnabled } }: Services): Promise<void> {
    const { hasAgreed, offerConsent } = await import('./sharingConsent');
    const answer = hasAgreed(globalState) ? 'review' : await offerConsent();
    if (answer === 'keepOff') {
      await this.setEnabled(false);
    } else if (answer === 'review' && agentsEnabled.peek()) {
      await (await this.load()).start();
    }
  }

  private async setEnabled(enabled: boolean): Promise<void> {
    if (this.services().settings.agentsEnabled.peek() !== enabled) {
      await workspace.getConfiguration().update(settings.agentsEnabled, enabled, ConfigurationTarget.Global);
    }
  }

  private load(): Promise<SharingService> {
    this.loading ??= (async () => {
      const services = this.services();
      const [{ SharingService: Service }, listening] = await Promise.all([import('./sharing'), services.listening()]);
      return this.store.add(new Service(services, listening, this));
    })();
    return this.loading;
  }
}
