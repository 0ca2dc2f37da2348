import { DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution } from '../interop/contribution';

/** Connecting agents to this window: their configuration, and a command to paste. */
export const agentsContribution: Contribution = {
  name: 'agents',
  register: (services) => {
    const { logs } = services;
    const store = new DisposableStore();
    store.add(
      registerCommand(commands.connectAgent, logs, async () => (await import('./connectAgent')).connectAgent(services)),
    );
    store.add(
      registerCommand(commands.copyBridgeCommand, logs, async () =>
        (await import('./copyBridgeCommand')).copyBridgeCommand(services),
      ),
    );
    return store;
  },
};
