import { DisposableStore } from '../../base/disposable';
import type { Contribution } from '../interop/contribution';
import { registerAddServer, type ServersPorts } from './addServer';
import { registerLetPorticoRunIt } from './letPorticoRunIt';
import { registerRunCommands } from './runCommands';
import { ServersView } from './serversView';
import { startWithWindow } from './startWithWindow';
import { registerTrustServer } from './trustServer';
import { registerTurnOnOff } from './turnOnOff';
import { registerViewCommands } from './viewCommands';

/** The Servers view and every command that is about a server. */
export function serversContribution(ports: ServersPorts): Contribution {
  return {
    name: 'servers',
    register(services) {
      const store = new DisposableStore();
      const view = store.add(new ServersView(services));
      const reveal = (server: string): Promise<void> => view.reveal(server);
      store.add(registerRunCommands(services));
      store.add(registerViewCommands(services));
      store.add(registerAddServer(services, { ...ports, reveal }));
      store.add(registerTurnOnOff(services));
      store.add(registerLetPorticoRunIt(services, reveal));
      store.add(registerTrustServer(services));
      store.add(startWithWindow(services));
      return store;
    },
  };
}
