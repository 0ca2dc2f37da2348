import { type Disposable, DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution, Services } from '../interop/contribution';
import type { ServersPorts } from './serversPorts';
import { ServersView } from './serversView';
import { startWithWindow } from './startWithWindow';

/** The Servers view and every command that is about a server. */
export function serversContribution(ports: ServersPorts): Contribution {
  return {
    name: 'servers',
    register(services) {
      const store = new DisposableStore();
      const view = store.add(new ServersView(services));
      store.add(registerCommands(services, ports, (server) => view.reveal(server)));
      store.add(startWithWindow(services));
      return store;
    },
  };
}

/** What a command does is loaded when it is first used. */
function registerCommands(
  services: Services,
  ports: ServersPorts,
  reveal: (server: string) => Promise<void>,
): Disposable {
  const store = new DisposableStore();
  const on: typeof registerCommand = (id, logs, run) => store.add(registerCommand(id, logs, run));
  const { logs } = services;
  const runs = () => import('./runServers');
  const shows = () => import('./showServer');
  on(commands.addServer, logs, async () => (await import('./addServer')).addServer(services, { ...ports, reveal }));
  on(commands.startServer, logs, async (row) => (await runs()).startServer(services, row));
  on(commands.stopServer, logs, async (row) => (await runs()).stopServer(services, row));
  on(commands.restartServer, logs, async (row) => (await runs()).restartServer(services, row));
  on(commands.startAll, logs, async () => (await runs()).startAll(services));
  on(commands.stopAll, logs, async () => (await runs()).stopAll(services));
  on(commands.showServerLog, logs, async (row) => (await shows()).showServerLog(services, row));
  on(commands.showServerDetails, logs, async (row) => (await shows()).showServerDetails(services, row));
  on(commands.editServerConfiguration, logs, async (row) => (await shows()).editConfiguration(services, row));
  on(commands.copyServerName, logs, async (row) => (await shows()).copyName(services, row));
  on(commands.copyServerEntry, logs, async (row) => (await shows()).copyEntry(services, row));
  on(commands.openSettings, logs, async () => (await shows()).openSettings());
  on(commands.openWalkthrough, logs, async () => (await shows()).openWalkthrough());
  on(commands.turnOn, logs, async (row) => (await import('./turnOnOff')).turnServer(services, row, false));
  on(commands.turnOff, logs, async (row) => (await import('./turnOnOff')).turnServer(services, row, true));
  on(commands.trustServer, logs, async (row) => (await import('./trustServer')).trustServer(services, row));
  on(commands.letPorticoRunIt, logs, async (row) =>
    (await import('./letPorticoRunIt')).letPorticoRunIt(services, row, reveal),
  );
  return store;
}
